import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { MergeView, unifiedMergeView } from '@codemirror/merge'
import { EditorState, type Extension } from '@codemirror/state'
import { EditorView, highlightSpecialChars, keymap, lineNumbers } from '@codemirror/view'
import { languageFor } from './languages'
import { siteTheme } from './theme'

interface Comparison {
  /** The second text, as it was edited. */
  text(): string
  destroy(): void
}

interface CompareOptions {
  parent: HTMLElement
  original: string
  text: string
  /** Name of the file, which says what language it is in. */
  name: string
}

const unchanged = { margin: 3, minSize: 6 }

const common = (label: string): Extension => [
  lineNumbers(),
  highlightSpecialChars(),
  EditorState.lineSeparator.of('\n'),
  EditorView.lineWrapping,
  EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
  siteTheme,
]

const readOnly: Extension = [EditorState.readOnly.of(true), EditorView.editable.of(false)]

/** Shows how a text differs from the original. */
export async function showChanges({ parent, original, text, name }: CompareOptions): Promise<Comparison> {
  const language = (await languageFor(name).catch(() => undefined)) ?? []
  const view = new EditorView({
    parent,
    doc: text,
    extensions: [
      common('Changes'),
      readOnly,
      language,
      unifiedMergeView({ original, mergeControls: false, collapseUnchanged: unchanged }),
    ],
  })
  return { text: () => view.state.doc.toString(), destroy: () => view.destroy() }
}

/**
 * Shows two texts next to each other, or in a narrow window below each other. The second can be edited, and each
 * difference can be replaced by what the first has.
 */
export async function showMerge(
  { parent, original, text, name }: CompareOptions,
  { isNarrow }: { isNarrow: boolean },
): Promise<Comparison> {
  const language = (await languageFor(name).catch(() => undefined)) ?? []
  const editing: Extension = [history(), keymap.of([...historyKeymap, ...defaultKeymap])]
  if (isNarrow) {
    const view = new EditorView({
      parent,
      doc: text,
      extensions: [
        common('Result'),
        editing,
        language,
        unifiedMergeView({ original, mergeControls: controlFor }),
      ],
    })
    return { text: () => view.state.doc.toString(), destroy: () => view.destroy() }
  }
  const view = new MergeView({
    parent,
    a: { doc: original, extensions: [common('Their version'), readOnly, language] },
    b: { doc: text, extensions: [common('Result'), editing, language] },
    revertControls: 'a-to-b',
    renderRevertControl: arrow,
    collapseUnchanged: unchanged,
  })
  return { text: () => view.b.state.doc.toString(), destroy: () => view.destroy() }
}

// The result has the second text already, so there is nothing to accept.
function controlFor(type: 'accept' | 'reject', act: (event: MouseEvent) => void): HTMLElement {
  if (type === 'accept') return document.createElement('span')
  const button = buttonFor('Use their version')
  button.addEventListener('mousedown', act)
  return button
}

/** Button of the library, which acts when it is pressed by a pointer, and with this also when a key presses it. */
function buttonFor(label: string): HTMLButtonElement {
  const button = document.createElement('button')
  button.type = 'button'
  button.textContent = label
  button.addEventListener('click', ({ detail }) => {
    if (detail === 0) button.dispatchEvent(new MouseEvent('mousedown', { bubbles: true, cancelable: true }))
  })
  return button
}

function arrow(): HTMLElement {
  const button = buttonFor('→')
  button.setAttribute('aria-label', 'Use their version of these lines')
  button.title = 'Use their version of these lines'
  return button
}
