/** Numbers as people read them. */

/** `1,234,567` of a whole number. The runtime's own way loads its tables of all languages: 20 ms and 8 MB for a comma. */
export function countText(count: number): string {
	return String(count).replace(/\B(?=(\d{3})+$)/g, ',');
}

const leastShown = 0.005;

/** `$1,234.50`. What is less than a cent and more than nothing does not become nothing. */
export function dollarText(dollars: number): string {
	if (dollars > 0 && dollars < leastShown) return '<$0.01';
	const [whole = '', cents = ''] = dollars.toFixed(2).split('.');
	return `$${countText(Number(whole))}.${cents}`;
}
