/** A picture in the conversation: which terminals and kinds of pictures are drawn, and its largest size in rows and columns. */
import { getCapabilities, getImageDimensions, renderImage } from '@earendil-works/pi-tui';
import { KeptRows } from './kept-rows.ts';

export interface Picture {
	readonly mime: string;
	readonly base64: string;
}

const mostRows = 14;
const mostColumns = 60;

export class PictureRows extends KeptRows {
	readonly #picture: Picture;
	#sequence: string | undefined;

	constructor(rows: (width: number) => readonly string[], picture: Picture) {
		super(rows);
		this.#picture = picture;
	}

	override render(width: number): string[] {
		const words = super.render(width);
		const drawn = pictureFor(this.#picture, width);
		if (drawn && this.#sequence === undefined) this.#sequence = drawn.sequence;
		return drawn ? [...words, ...Array.from({ length: drawn.rows }, () => '')] : words;
	}

	/** The codes that draw it, once, and how many of its rows are above it. */
	take(width: number): { readonly sequence: string; readonly below: number } | undefined {
		const sequence = this.#sequence;
		this.#sequence = '';
		return sequence ? { sequence, below: super.render(width).length } : undefined;
	}
}

/** Kitty's protocol takes PNG alone. */
function pictureFor({ mime, base64 }: Picture, width: number) {
	const { images } = getCapabilities();
	if (!images || (images === 'kitty' && mime !== 'image/png')) return undefined;
	const size = getImageDimensions(base64, mime);
	if (!size) return undefined;
	const room = { maxWidthCells: Math.min(mostColumns, width - 2), maxHeightCells: mostRows };
	return renderImage(base64, size, { ...room, moveCursor: false }) ?? undefined;
}
