/** The openclaw codec and its native types. */
export * from './codecs/openclaw/index.ts';
