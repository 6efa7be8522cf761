import { defaultHighlightStyle, HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import { EditorState, type Extension } from '@codemirror/state'
import { EditorView } from '@codemirror/view'

// The library names what its styles are for by their colors. These are our classes for the same (app/highlight.css), which
// follow the theme of the site.
const classes: Readonly<Record<string, string>> = {
  '#404740': 'pl-c1',
  '#708': 'pl-k',
  '#219': 'pl-c1',
  '#164': 'pl-c1',
  '#a11': 'pl-s',
  '#e40': 'pl-s',
  '#00f': 'pl-en',
  '#30a': 'pl-v',
  '#085': 'pl-v',
  '#167': 'pl-v',
  '#256': 'pl-v',
  '#00c': 'pl-c1',
  '#940': 'pl-c',
}

const highlighting = HighlightStyle.define(
  defaultHighlightStyle.specs.map(({ tag, color, ...style }) => {
    const name = typeof color === 'string' ? classes[color] : undefined
    return name ? { tag, class: name } : { tag, ...style }
  }),
)

const button = {
  padding: '3px 12px',
  color: 'var(--button-default-fgColor-rest)',
  backgroundColor: 'var(--button-default-bgColor-rest)',
  backgroundImage: 'none',
  border: '1px solid var(--button-default-borderColor-rest)',
  borderRadius: 'var(--borderRadius-medium)',
  fontSize: '12px',
}

const deleted = 'var(--diffBlob-deletionLine-bgColor)'
const inserted = 'var(--diffBlob-additionLine-bgColor)'

const theme = EditorView.theme({
  '&': { color: 'var(--fgColor-default)', backgroundColor: 'var(--bgColor-default)', fontSize: '12px' },
  '&.cm-focused': { outline: '2px solid var(--focus-outlineColor)', outlineOffset: '-1px' },
  '.cm-scroller': { fontFamily: 'var(--fontStack-monospace)', lineHeight: '20px' },
  '.cm-content': { padding: '8px 0', caretColor: 'var(--fgColor-default)' },
  '.cm-gutters': {
    color: 'var(--fgColor-muted)',
    backgroundColor: 'var(--bgColor-default)',
    borderInlineEnd: '1px solid var(--borderColor-muted)',
  },
  '.cm-activeLine': { backgroundColor: 'var(--bgColor-neutral-muted)' },
  '.cm-activeLineGutter': {
    color: 'var(--fgColor-default)',
    backgroundColor: 'var(--bgColor-neutral-muted)',
  },
  '&.cm-focused .cm-matchingBracket': { backgroundColor: 'var(--bgColor-attention-muted)' },
  '.cm-selectionMatch': { backgroundColor: 'var(--bgColor-success-muted)' },
  '.cm-searchMatch': {
    backgroundColor: 'var(--bgColor-attention-muted)',
    outline: '1px solid var(--borderColor-attention-emphasis)',
  },
  '.cm-searchMatch-selected': { outlineWidth: '2px' },
  '.cm-specialChar': { color: 'var(--fgColor-danger)' },
  '.cm-panels': {
    color: 'var(--fgColor-default)',
    backgroundColor: 'var(--bgColor-muted)',
    fontSize: '12px',
  },
  '.cm-panels-top': { borderBottom: '1px solid var(--borderColor-default)' },
  '.cm-panel.cm-search': { padding: '8px 32px 8px 8px' },
  '.cm-panel.cm-search label': { fontSize: '12px' },
  '.cm-panel.cm-search input[type=checkbox]': { verticalAlign: 'text-bottom' },
  '.cm-textfield': {
    padding: '3px 8px',
    color: 'var(--fgColor-default)',
    backgroundColor: 'var(--bgColor-default)',
    border: '1px solid var(--control-borderColor-emphasis)',
    borderRadius: 'var(--borderRadius-medium)',
    fontSize: '12px',
  },
  '.cm-button': button,
  '.cm-button:active': { backgroundImage: 'none' },
  '.cm-panel.cm-search [name=close]': {
    color: 'var(--fgColor-default)',
    fontSize: '16px',
    width: '24px',
    height: '24px',
  },

  '&.cm-merge-a .cm-changedLine, .cm-deletedChunk': { backgroundColor: deleted },
  '&.cm-merge-b .cm-changedLine, .cm-insertedLine': { backgroundColor: inserted },
  '&.cm-merge-a .cm-changedText, .cm-deletedChunk .cm-deletedText': {
    background: 'var(--diffBlob-deletionWord-bgColor)',
  },
  '&.cm-merge-b .cm-changedText': { background: 'var(--diffBlob-additionWord-bgColor)' },
  '&.cm-merge-a .cm-changedLineGutter, .cm-deletedLineGutter': { background: 'var(--fgColor-danger)' },
  '&.cm-merge-b .cm-changedLineGutter': { background: 'var(--fgColor-success)' },
  '.cm-deletedChunk button, .cm-deletedChunk button[name]': button,
  '.cm-collapsedLines': {
    padding: '4px 16px',
    color: 'var(--fgColor-muted)',
    background: 'var(--bgColor-muted)',
    fontFamily: 'var(--fontStack-sansSerif)',
    '&:before': { content: '"↕"' },
    '&:after': { content: 'none' },
  },
  // Colors are not shown then.
  '@media (forced-colors: active)': {
    '.cm-activeLine, .cm-activeLineGutter': { outline: '1px dotted CanvasText', outlineOffset: '-1px' },
    '.cm-changedLine, .cm-insertedLine, .cm-deletedChunk': { outline: '1px solid Highlight' },
    '.cm-changedText': { textDecoration: 'underline' },
    '.cm-deletedText': { textDecoration: 'line-through' },
    '.cm-matchingBracket': { outline: '1px solid Highlight' },
  },
})

/** What all editors and comparisons of texts look like. */
export const siteTheme: Extension = [
  theme,
  syntaxHighlighting(highlighting),
  EditorState.phrases.of({
    next: 'Next',
    previous: 'Previous',
    all: 'All',
    'match case': 'Match case',
    regexp: 'Regular expression',
    'by word': 'Whole words',
    replace: 'Replace',
    'replace all': 'Replace all',
    close: 'Close',
  }),
]
