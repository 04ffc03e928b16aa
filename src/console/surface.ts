/** What the controller draws on: the contract between controller and screen, and how it is to look. */
import type { Size } from './screens/screen.ts';
import type { StatusPart } from './settings.ts';
import type { ShownPicture } from './state.ts';
import type { Theme } from './theme.ts';

/** What the controller draws on; `Shell` is one, and tests have another. */
export interface Surface {
	append(rows: (width: number) => readonly string[], picture?: ShownPicture): void;
	draw(): void;
	text: string;
	readonly size: Size;
	remember(text: string): void;
}

export interface Look {
	readonly theme: Theme;
	readonly statusLine?: readonly StatusPart[];
	/** Lines alone are typed, and no key shows more. */
	readonly keyless?: boolean;
}
