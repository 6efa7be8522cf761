/**
 * Returns the options of a commit as the Go SDK encodes them: with every field, those that are not set empty or the
 * first year.
 */
export const goFileOptions = (set: Record<string, unknown> = {}): Record<string, unknown> => ({
  message: '',
  branch: '',
  new_branch: '',
  author: { name: '', email: '' },
  committer: { name: '', email: '' },
  dates: { author: '0001-01-01T00:00:00Z', committer: '0001-01-01T00:00:00Z' },
  signoff: false,
  ...set,
})

/** Returns a text in Base64, as files are sent. */
export const base64 = (text: string): string => Buffer.from(text).toString('base64')
