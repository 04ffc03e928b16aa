/** Whether whoever goes on with a session is asked first: where a part of what was said would not be sent, up to which file size that is looked at. */
import { statSync } from 'node:fs';
import type { ClientOptions } from './options.ts';
import { checkResume } from './resume-check.ts';
import { resumeText } from './resume-words.ts';
import type { ClientSession } from './session.ts';

/** Larger sessions go on without a question: looking at all of them first would take longer than it saves. */
const largestLooked = 1 << 26;

/** `asks` is given what would be lost, and is not asked where nothing would be. */
export async function wantsToGoOn(
	{ handle, resumed, cwd }: ClientSession,
	options: ClientOptions,
	asks: (what: string) => Promise<boolean>,
): Promise<boolean> {
	if (!resumed) return true;
	if ((statSync(handle.path, { throwIfNoEntry: false })?.size ?? 0) > largestLooked) return true;
	const check = await checkResume(handle.path, { ...options, cwd });
	return !check.dropped.some(({ lost }) => lost) || (await asks(resumeText(check)));
}
