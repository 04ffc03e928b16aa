/** Which files Read refuses as binary, by the endings of their names; and images, by what is in them. */
import type { ImageContent } from '../model/index.ts';

export const imageTypes: { readonly [extension: string]: string } = {
	'.png': 'image/png',
	'.jpg': 'image/jpeg',
	'.jpeg': 'image/jpeg',
	'.gif': 'image/gif',
	'.webp': 'image/webp',
};

/** The type of an image that models can be shown; undefined for everything else. */
export function imageType(bytes: Uint8Array): string | undefined {
	const start = Buffer.from(bytes.subarray(0, 12)).toString('latin1');
	if (start.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png';
	if (start.startsWith('\xff\xd8\xff')) return 'image/jpeg';
	if (/^GIF8[79]a/.test(start)) return 'image/gif';
	return /^RIFF[\s\S]{4}WEBP/.test(start) ? 'image/webp' : undefined;
}

/**
 * A picture that came along, by what it is and not by what it is called. Undefined where it is none: a provider refuses a conversation
 * with such a one for good.
 */
export function pictureIn({ data, mimeType }: ImageContent): ImageContent | undefined {
	const type = imageType(Buffer.from(data.slice(0, 32), 'base64'));
	// Of kinds that only some models know, nothing is known here.
	if (type === undefined)
		return Object.values(imageTypes).includes(mimeType) ? undefined : { type: 'image', data, mimeType };
	return { type: 'image', data, mimeType: type };
}

export const binaryExtensions: ReadonlySet<string> = new Set(
	[
		'mp3 wav flac ogg aac m4a wma aiff opus mp4 avi mov wmv flv mkv webm m4v mpeg mpg',
		'zip rar tar gz bz2 7z xz tgz iso exe dll so dylib msi deb rpm bin dat db sqlite sqlite3 mdb idx',
		'pdf doc docx xls xlsx ppt pptx odt ods odp ttf otf woff woff2 eot psd eps sketch fig blend 3ds',
		'class jar war pyc pyo rlib swf fla ico bmp tiff tif heic avif o a lib node wasm',
	].flatMap((line) => line.split(' ').map((name) => `.${name}`)),
);
