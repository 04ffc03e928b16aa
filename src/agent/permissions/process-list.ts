/** Which arguments of `ps` need no rule: some of its forms print the environment of other programs, where secrets are. */

const columns =
	/^(%cpu|%mem|args|c|cmd|comm|command|cputime|egid|egroup|etime|etimes|euid|euser|fname|gid|group|lstart|lwp|ni|nice|nlwp|pcpu|pgid|pid|pmem|ppid|pri|psr|rgroup|rss|ruser|s|sess|sid|start|start_time|stat|state|stime|sz|tid|time|tname|tt|tty|ucmd|uid|uname|user|vsz|wchan)(=[\w %]*)?$/;

/** `ps -e` lists every process; but where anything else in the line is wrong, `ps` takes it for `ps e`, which prints environments. */
export function isPlainProcessList(values: readonly string[]): boolean {
	const every = values.some((value) => /^-[A-Za-z]*e/.test(value));
	for (let at = 0; at < values.length; at++) {
		const value = values[at] ?? '';
		const next = values[at + 1] ?? '';
		if (/^-(e|A)?o$/.test(value) && areColumns(next)) at++;
		else if (value === '-p' && /^\d+(,\d+)*$/.test(next) && !every) at++;
		else if (!isKnown(value, every)) return false;
	}
	return true;
}

function isKnown(value: string, every: boolean): boolean {
	const sorted = /^--sort=(.*)$/.exec(value)?.[1];
	if (sorted !== undefined) return areColumns(sorted.replaceAll(/(^|,)[-+]/g, '$1'));
	if (/^--(no-headers|headers|forest)$/.test(value)) return true;
	if (every) return /^-(e|ef|eF|el|elf|efl|efw+|ew+|efH|eH)$/.test(value);
	return /^-?[auxwfjlsvmhrHTnc]+$/.test(value) || /^-[aAfFjlxwHLTd]+$/.test(value) || /^\d+$/.test(value);
}

function areColumns(text: string): boolean {
	return text !== '' && text.split(',').every((name) => columns.test(name));
}
