export { highlightLines } from './highlight-lines'
export { languageNamed, languageOf } from './language-of'
export { isGenerated, isVendored } from './linguist-files'
export { highlightBlocks, renderFileMarkdown } from './render-markdown'
