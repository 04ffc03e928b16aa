/** Which images Cline sends to a model: types and size limits (5 MB each, 8 MB in one request), and the text that replaces the others. */
import type { JsonObject } from '../../../model/index.ts';

export const omitted = '[media omitted: invalid or exceeds size limit]';

export interface ImageData {
	readonly data: string;
	readonly mediaType: string;
}

const supported = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);
const largestEncoded = 5 * 1024 * 1024;
const largestDecoded = 6 * 1024 * 1024;
const largestTotal = 8 * 1024 * 1024;

/** A budget that all images of one request share: the first ones are sent. */
export interface MediaBudget {
	image(mediaType: string | undefined, data: string): ImageData | undefined;
	/** Counts an image given by address, as the largest possible. */
	remote(): boolean;
}

export function mediaBudget(): MediaBudget {
	let total = 0;
	const reserve = (bytes: number): boolean => {
		if (total + bytes > largestTotal) return false;
		total += bytes;
		return true;
	};
	return {
		image(mediaType, data) {
			const image = soundImage(mediaType, data);
			return image && reserve(image.data.length) ? image : undefined;
		},
		remote: () => reserve(largestEncoded),
	};
}

function soundImage(mediaType: string | undefined, text: string): ImageData | undefined {
	const trimmed = text.trim();
	const url = dataUrl(trimmed);
	const type = mediaType?.toLowerCase();
	if (url && type !== undefined && type !== url.mediaType) return undefined;
	const { data, mediaType: effective } = url ?? { data: trimmed, mediaType: type };
	if (effective === undefined || !supported.has(effective)) return undefined;
	if (data.length === 0 || data.length > largestEncoded || !isBase64(data)) return undefined;
	return decodedLength(data) > largestDecoded ? undefined : { data, mediaType: effective };
}

function dataUrl(text: string): ImageData | undefined {
	if (text.slice(0, 5).toLowerCase() !== 'data:') return undefined;
	const comma = text.indexOf(',');
	if (comma === -1 || comma > 133) return undefined;
	const about = text.slice(5, comma).toLowerCase();
	const mediaType = about.endsWith(';base64') ? about.slice(0, -7) : '';
	return mediaType === '' || mediaType.includes(';') ? undefined : { data: text.slice(comma + 1), mediaType };
}

function isBase64(text: string): boolean {
	return text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text);
}

function decodedLength(base64: string): number {
	const padding = base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0;
	return Math.floor((base64.length * 3) / 4) - padding;
}

/** The block to send. The type comes from the image's first bytes, which are more reliable than the stored type. */
export function imageBlock(image: ImageData): JsonObject {
	const { data } = image;
	return { type: 'image', source: { type: 'base64', media_type: kindOf(data) ?? image.mediaType, data } };
}

/** In these patterns a dot matches any byte. */
const kinds: readonly (readonly [kind: string, start: RegExp])[] = [
	['image/gif', /^GIF8[79]a/],
	['image/png', /^\x89PNG/],
	['image/jpeg', /^\xff\xd8/],
	['image/webp', /^RIFF.{4}WEBP/s],
	['image/bmp', /^BM.{4}\0{4}/s],
	['image/tiff', /^(?:II\*\0|MM\0\*)/],
	['image/avif', /^\0{3}.ftypavif/s],
	['image/heic', /^\0{3}.ftypheic/s],
];

function kindOf(base64: string): string | undefined {
	const start = Buffer.from(base64.slice(0, 24), 'base64').toString('latin1');
	return kinds.find(([, pattern]) => pattern.test(start))?.[0];
}
