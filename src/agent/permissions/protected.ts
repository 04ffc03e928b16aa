/** Names that no mode and no allow rule opens for writing: what they hold is run or obeyed by other programs later. */

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
	'.profile',
	'.zshrc',
	'.zprofile',
];

/** Worktrees are ordinary checkouts, although they lie in the client's own folder. */
const worktree = /^(.*?\/\.claude\/worktrees\/[^/]+)(\/.*)$/i;

/** Upper and lower case are the same here, because on some file systems they are the same file. */
export function isProtected(path: string): boolean {
	const inside = worktree.exec(path);
	const parts = (inside?.[2] ?? path).toLowerCase().split('/');
	return parts.some((part) => names.includes(part));
}
