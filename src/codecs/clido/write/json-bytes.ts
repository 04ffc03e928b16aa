/** Writes JSON as Clido's own library does (sorted keys, `0.0`), and nothing that its reader refuses: values deeper than 120 levels are dropped. */

export interface JsonWriter {
	/** `sorted`: keys in alphabetical order, as the client has them in blocks and tool inputs. */
	write(value: unknown, sorted?: boolean): string;
	/** True when a value had to be changed since the last call, because the client could not have read it. */
	changed(): boolean;
}

/** Deeper values are dropped: a line may be nested 127 levels deep, and a tool input starts on the fourth. */
const deepest = 120;

export function jsonWriter(): JsonWriter {
	let touched = false;

	function instead(text: string): string {
		touched = true;
		return text;
	}

	function string(text: string): string {
		return text.isWellFormed() ? JSON.stringify(text) : instead(JSON.stringify(text.toWellFormed()));
	}

	function object(value: { readonly [key: string]: unknown }, sorted: boolean, depth: number): string {
		const keys = Object.keys(value);
		if (sorted) keys.sort();
		let text = '';
		for (const key of keys) {
			const item = value[key];
			if (item !== undefined) text += `${text === '' ? '' : ','}${string(key)}:${any(item, sorted, depth)}`;
		}
		return `{${text}}`;
	}

	function any(value: unknown, sorted: boolean, depth: number): string {
		if (typeof value === 'string') return string(value);
		if (typeof value === 'number' && !Number.isFinite(value)) return instead('null');
		if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null);
		if (depth > deepest) return instead('null');
		if (Array.isArray(value)) return `[${value.map((item) => any(item, sorted, depth + 1)).join(',')}]`;
		return object(value as { readonly [key: string]: unknown }, sorted, depth + 1);
	}

	return {
		write: (value, sorted = false) => any(value, sorted, 0),
		changed() {
			const was = touched;
			touched = false;
			return was;
		},
	};
}

/** A double with a point or an exponent, as the client writes its costs: `0.0`. */
export function doubleText(value: number): string {
	const text = String(value);
	return /^\d+$/.test(text) ? `${text}.0` : text;
}

/** A whole number from 0 to `largest`; undefined for anything else. */
export function wholeText(value: number | undefined, largest = Number.MAX_SAFE_INTEGER): string | undefined {
	if (value === undefined || Number.isNaN(value) || value < 0) return undefined;
	return String(Math.min(Math.round(value), largest));
}
