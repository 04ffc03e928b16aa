/** The key of a project as the SDK derives it from a folder: which characters become dashes, and from which length on it ends with a hash. */

const longest = 200;

/** A dash for everything but letters and digits, and a hash where it gets long. `folder` is a real path. */
export function projectKeyOf(folder: string): string {
	const key = folder.replace(/[^a-zA-Z0-9]/g, '-');
	if (key.length <= longest) return key;
	let hash = 0;
	for (let at = 0; at < folder.length; at += 1) hash = (Math.imul(hash, 31) + folder.charCodeAt(at)) | 0;
	return `${key.slice(0, longest)}-${Math.abs(hash).toString(36)}`;
}
