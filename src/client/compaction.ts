/** The settings and variables that switch compaction on or off and move its limits, and how many characters of the user's own words it keeps. */
import { usualWindow } from '../agent/compaction/compact-when.ts';
import type { CompactionRules } from '../agent/config.ts';
import { compact } from '../model/index.ts';
import type { Env } from '../providers/service.ts';
import type { PermissionsHere } from './permissions.ts';

/** Characters of the user's own words that a compaction keeps: far more than most people type in a session. */
const usualWords = 60_000;
/** And at most this share of the window, at three characters a token. */
const mostWords = 0.125 * 3;

type Given = Pick<PermissionsHere, 'autoCompact' | 'compactWords' | 'env'>;

/** `known`: the tokens that the model can take, asked for with the first request. The variables are those of Claude Code. */
export function compactionRules(
	{ autoCompact, compactWords, env: more }: Given,
	known: () => number | undefined,
): CompactionRules {
	const env: Env = { ...process.env, ...more };
	const window = (): number => windowOf(known() ?? usualWindow, env);
	const percent = numberIn(env.CLAUDE_AUTOCOMPACT_PCT_OVERRIDE);
	return {
		auto: autoCompact !== false && !isOn(env.DISABLE_AUTO_COMPACT) && !isOn(env.DISABLE_COMPACT),
		get window() {
			return window();
		},
		get words() {
			return compactWords ?? Math.min(usualWords, Math.floor(window() * mostWords));
		},
		...compact({ percent: percent !== undefined && percent <= 100 ? percent : undefined }),
	};
}

function windowOf(known: number, env: Env): number {
	const wanted = numberIn(env.CLAUDE_CODE_AUTO_COMPACT_WINDOW);
	if (wanted !== undefined) return wanted;
	return isOn(env.CLAUDE_CODE_DISABLE_1M_CONTEXT) ? Math.min(known, usualWindow) : known;
}

function numberIn(text: string | undefined): number | undefined {
	const number = Number(text);
	return text !== undefined && text.trim() !== '' && number > 0 && Number.isFinite(number) ? number : undefined;
}

function isOn(text: string | undefined): boolean {
	return text !== undefined && /^(1|true|yes|on)$/i.test(text.trim());
}
