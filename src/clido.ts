/** The clido codec, its native types, and the reader its document shows. */
export * from './codecs/clido/index.ts';
export { SessionReader } from './store/clido-session-reader.ts';
