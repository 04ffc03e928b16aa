/** Completion scripts for bash, zsh and fish: how each offers commands, options, values and session ids. What is offered is collected in completion.ts. */

export interface Completed {
	/** Empty: what is typed without a command. */
	readonly name: string;
	readonly summary: string;
	readonly options: readonly CompletedOption[];
	/** What may stand in place of an argument. */
	readonly words: readonly string[];
	readonly takesSession: boolean;
}

interface CompletedOption {
	readonly names: readonly string[];
	readonly about: string;
	readonly takesValue: boolean;
	readonly values: readonly string[];
}

export const scripts: { readonly [shell in 'bash' | 'zsh' | 'fish']: (all: readonly Completed[]) => string } = {
	bash,
	zsh,
	fish,
};

const names = (all: readonly Completed[]): readonly string[] => [
	...all.map(({ name }) => name).filter((name) => name !== ''),
	'help',
];

const flags = ({ options }: Completed): string => [...options.flatMap((option) => option.names), '--help'].join(' ');

/** Cases `command --option) …`, for options that take one of a few values. */
function valueCases(all: readonly Completed[], body: (values: readonly string[]) => string): string {
	return all
		.flatMap(({ name, options }) =>
			options
				.filter(({ values }) => values.length > 0)
				.map((option) => `\t\t${option.names.map((flag) => `'${name} ${flag}'`).join('|')}) ${body(option.values)} ;;`),
		)
		.join('\n');
}

/** Options whose value is free text, a file or a number: there the shell completes files. */
function freeCases(all: readonly Completed[]): string {
	const free = all.flatMap(({ name, options }) =>
		options
			.filter((option) => option.takesValue && option.values.length === 0)
			.flatMap((option) => option.names.map((flag) => `'${name} ${flag}'`)),
	);
	return free.join('|');
}

function wordCases(all: readonly Completed[]): string {
	return all
		.map((one) => {
			const words = one.name === '' ? names(all) : one.words;
			return `\t\t'${one.name}') flags='${flags(one)}' words='${words.join(' ')}' sessions=${one.takesSession ? 1 : 0} ;;`;
		})
		.join('\n');
}

function bash(all: readonly Completed[]): string {
	return `# Completion of reprise for bash: eval "$(reprise completion bash)"
_reprise() {
	local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} command='' flags='' words='' sessions=0 word
	for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
		case $word in -*) ;; *) command=$word; break ;; esac
	done
	COMPREPLY=()
	case "$command $prev" in
${valueCases(all, (values) => `COMPREPLY=($(compgen -W '${values.join(' ')}' -- "$cur")); return`)}
		${freeCases(all)}) COMPREPLY=($(compgen -f -- "$cur")); return ;;
	esac
	case $command in
${wordCases(all)}
		help) words='${names(all).join(' ')}' ;;
		*) return ;;
	esac
	if [[ $cur == -* ]]; then
		COMPREPLY=($(compgen -W "$flags" -- "$cur"))
		return
	fi
	COMPREPLY=($(compgen -W "$words" -- "$cur"))
	# Ids are names of files, or stand in them: compgen would run commands that are in one.
	if [[ $sessions == 1 ]]; then
		while IFS= read -r word; do
			[[ $word == "$cur"* ]] && COMPREPLY+=("$word")
		done < <(reprise completion ids 2>/dev/null)
	fi
	[[ -n $command && \${#COMPREPLY[@]} -eq 0 ]] && COMPREPLY=($(compgen -f -- "$cur"))
}
complete -o filenames -F _reprise reprise`;
}

function zsh(all: readonly Completed[]): string {
	return `#compdef reprise
# Completion of reprise for zsh: eval "$(reprise completion zsh)"
_reprise() {
	local cur=\${words[CURRENT]} prev=\${words[CURRENT-1]} command='' flags='' choices='' sessions=0 word
	for word in \${words[2,CURRENT-1]}; do
		case $word in -*) ;; *) command=$word; break ;; esac
	done
	case "$command $prev" in
${valueCases(all, (values) => `compadd -- ${values.join(' ')}; return`)}
		${freeCases(all)}) _files; return ;;
	esac
	case $command in
${wordCases(all).replaceAll(' words=', ' choices=')}
		help) choices='${names(all).join(' ')}' ;;
		*) return ;;
	esac
	if [[ $cur == -* ]]; then
		compadd -- \${=flags}
		return
	fi
	[[ $sessions == 1 ]] && choices="$choices $(reprise completion ids 2>/dev/null)"
	[[ -n $choices ]] && compadd -- \${=choices}
	[[ -n $command ]] && _files
	return 0
}
compdef _reprise reprise`;
}

function fish(all: readonly Completed[]): string {
	const lines = ['# Completion of reprise for fish: reprise completion fish > ~/.config/fish/completions/reprise.fish'];
	for (const one of all) {
		const where = one.name === '' ? '__fish_use_subcommand' : `__fish_seen_subcommand_from ${one.name}`;
		if (one.name !== '') {
			lines.push(`complete -c reprise -n __fish_use_subcommand -f -a ${one.name} -d ${quoted(one.summary)}`);
		}
		for (const option of one.options) lines.push(fishOption(where, option));
		if (one.words.length > 0) lines.push(`complete -c reprise -n '${where}' -f -a ${quoted(one.words.join(' '))}`);
		if (one.takesSession) lines.push(`complete -c reprise -n '${where}' -a '(reprise completion ids 2>/dev/null)'`);
	}
	return lines.join('\n');
}

function fishOption(where: string, { names: given, about, takesValue, values }: CompletedOption): string {
	const spelled = given
		.map((flag) => (flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`))
		.join(' ');
	const value = values.length > 0 ? ` -x -a ${quoted(values.join(' '))}` : takesValue ? ' -r' : '';
	return `complete -c reprise -n '${where}' ${spelled}${value} -d ${quoted(about)}`;
}

/** For fish, where only a quote and a backslash mean something between quotes. */
function quoted(text: string): string {
	return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
