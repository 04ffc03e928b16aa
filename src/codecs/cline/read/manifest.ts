/** The manifest `<id>.json`: what it says, and whether Cline can find the session through it. */
import { isObject, type Json } from '../../../model/index.ts';
import type { Report } from '../../codec.ts';
import { parseRecord } from '../../shared/read/parse.ts';
import { manifestTable } from '../check/rules.ts';
import { type ClineManifest, clineStatuses } from '../lines.ts';

/** The manifest in these bytes; undefined when Cline itself would not take it. */
export function parseManifest(bytes: Uint8Array): ClineManifest | undefined {
	const { value } = parseRecord(bytes, true);
	return value && isManifest(value) ? value : undefined;
}

/** True for a value with the form of a manifest. */
export function isManifest(value: Json): value is Json & ClineManifest {
	let sound = isObject(value);
	checkManifest(value, (rule) => {
		// Without a path it is still a manifest, though one that hides its messages.
		if (rule !== 'cline/manifest/messages_path' && rule !== 'cline/manifest/running') sound = false;
	});
	return sound;
}

const ended: readonly string[] = ['completed', 'failed', 'cancelled'] satisfies (typeof clineStatuses)[number][];

/** Reports what is wrong with a manifest, at positions in the manifest. */
export function checkManifest(value: Json, report: Report): void {
	if (!isObject(value)) {
		report('cline/manifest/session_id', 'the manifest is not an object: Cline does not list the session', { at: null });
		return;
	}
	manifestTable.check(value, (rule, message, where) => report(rule, message, { ...where, at: null }));
	const status = value.status;
	if (typeof status === 'string' && (clineStatuses as readonly string[]).includes(status) && !ended.includes(status)) {
		const message = `the status is "${status}": Cline marks the session as failed when its process is gone`;
		report('cline/manifest/running', message, { at: null, path: 'status' });
	}
}
