export { type MarkdownOptions, maxFormattedLength } from './options'
export { mentionsIn } from './references'

/** Loads what renders Markdown, because its libraries take megabytes of memory. */
export const loadMarkdown = (): Promise<typeof import('./render')> => import('./render')
