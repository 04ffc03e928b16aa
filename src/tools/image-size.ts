/** How wide and high an image is, from its first bytes. */

export interface ImageSize {
	readonly width: number;
	readonly height: number;
}

/** Undefined where the header is cut off or says nothing. `type` as `imageType` tells it. */
export function imageSize(bytes: Uint8Array, type: string): ImageSize | undefined {
	const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	switch (type) {
		case 'image/png':
			return view.byteLength < 24 ? undefined : { width: view.getUint32(16), height: view.getUint32(20) };
		case 'image/gif':
			return view.byteLength < 10 ? undefined : { width: view.getUint16(6, true), height: view.getUint16(8, true) };
		case 'image/jpeg':
			return jpegSize(view);
		default:
			return webpSize(view);
	}
}

/** Segment after segment until the one that begins a frame. */
function jpegSize(view: DataView): ImageSize | undefined {
	for (let at = 2; at + 9 <= view.byteLength && view.getUint8(at) === 0xff; ) {
		const marker = view.getUint8(at + 1);
		const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
		if (isFrame) return { width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
		// Fill bytes, and marks that have no length.
		if (marker === 0xff) at += 1;
		else if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)) at += 2;
		else at += 2 + view.getUint16(at + 2);
	}
	return undefined;
}

/** WebP has three kinds of pictures, each with a header of its own. */
function webpSize(view: DataView): ImageSize | undefined {
	if (view.byteLength < 30) return undefined;
	const kind = String.fromCharCode(...[12, 13, 14, 15].map((at) => view.getUint8(at)));
	const three = (at: number): number => view.getUint16(at, true) + view.getUint8(at + 2) * 65_536;
	if (kind === 'VP8X') return { width: three(24) + 1, height: three(27) + 1 };
	if (kind === 'VP8 ') return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
	if (kind !== 'VP8L') return undefined;
	const bits = view.getUint32(21, true);
	return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
}
