/** The protected names (.git, .bashrc, .mcp.json …), which no mode and no allow rule opens for writing: what they hold is run or obeyed by other programs later. */

const names: readonly string[] = [
	'.git',
	'.gitconfig',
	'.gitmodules',
	'.vscode',
	'.idea',
	'.claude',
	'.claude.json',
	'.mcp.json',
	'.husky',
	'.devcontainer',
	'.cargo',
	'.npmrc',
	'.yarnrc.yml',
	'.envrc',
	'.pre-commit-config.yaml',
	'.ripgreprc',
	'.bashrc',
	'.bash_profile',
	'.bash_login',
	'.profile',
	'.zshrc',
	'.zprofile',
	'.zshenv',
	'.zlogin',
];

/** Worktrees are ordinary checkouts, although they lie in the client's own folder. */
const worktree = /^(.*?\/\.claude\/worktrees\/[^/]+)(\/.*)$/i;

/** By every spelling that some file system takes for the same name. */
export function isProtected(path: string): boolean {
	const inside = worktree.exec(path);
	return (inside?.[2] ?? path).split('/').some((part) => {
		const plain = folded(part);
		return names.includes(plain) || /^(git|claude)~\d+$/.test(plain);
	});
}

/** macOS ignores case and signs that are not seen; Windows ignores dots and blanks at the end, and has short names and streams. */
function folded(part: string): string {
	const seen = part.normalize('NFKC').replaceAll(/\p{Cf}/gu, '');
	return seen
		.toUpperCase()
		.toLowerCase()
		.replace(/(?<=.):.*$/s, '')
		.replace(/[. ]+$/, '');
}
