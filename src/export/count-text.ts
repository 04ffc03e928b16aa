/** Numbers as people read them. */

/** `1,234,567` of a whole number. The runtime's own way loads its tables of all languages: 20 ms and 8 MB for a comma. */
export function countText(count: number): string {
	return String(count).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** `$1,234.50`. */
export function dollarText(dollars: number): string {
	const [whole = '', cents = ''] = dollars.toFixed(2).split('.');
	return `$${countText(Number(whole))}.${cents}`;
}
