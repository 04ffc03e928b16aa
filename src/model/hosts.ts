/** Whether a host is in one of the allowed domains and in none of the blocked ones. */

export interface Domains {
	readonly allowedDomains?: readonly string[];
	readonly blockedDomains?: readonly string[];
}

/** True for a host in one of the allowed domains, where there are any, and in none that is blocked. */
export function isWantedHost(host: string, { allowedDomains, blockedDomains }: Domains): boolean {
	const name = host.toLowerCase();
	const isIn = (domain: string): boolean => name === domain.toLowerCase() || name.endsWith(`.${domain.toLowerCase()}`);
	return (allowedDomains === undefined || allowedDomains.some(isIn)) && !blockedDomains?.some(isIn);
}
