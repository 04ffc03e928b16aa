/**
 * What is known of each format without reading its sessions: where they are, and which records tell what they cost. Whoever needs no
 * more takes it from here: loading all codecs takes as long as listing thousands of files.
 */
import { locate as claudeCodeLocate } from './claude-code/locate.ts';
import { usage as claudeCodeUsage } from './claude-code/usage.ts';
import { locate as clidoLocate } from './clido/locate.ts';
import { usage as clidoUsage } from './clido/usage.ts';
import { locate as clineLocate } from './cline/locate.ts';
import { sideHeader as clineSideHeader } from './cline/side-header.ts';
import { usage as clineUsage } from './cline/usage.ts';
import type { Codec } from './codec.ts';
import { locate as openclawLocate } from './openclaw/locate.ts';
import { usage as openclawUsage } from './openclaw/usage.ts';

export type Places = Pick<Codec, 'id' | 'locate' | 'usage' | 'sideHeader'>;

/** In the order of the codecs. */
export const places: readonly Places[] = [
	{ id: 'claude-code', locate: claudeCodeLocate, usage: claudeCodeUsage },
	{ id: 'cline', locate: clineLocate, usage: clineUsage, sideHeader: clineSideHeader },
	{ id: 'clido', locate: clidoLocate, usage: clidoUsage },
	{ id: 'openclaw', locate: openclawLocate, usage: openclawUsage },
];

export function placesOf(id: string): Places | undefined {
	return places.find((place) => place.id === id);
}
