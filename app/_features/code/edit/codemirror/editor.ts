import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
import { bracketMatching, indentOnInput, indentUnit } from '@codemirror/language'
import { highlightSelectionMatches, openSearchPanel, search, searchKeymap } from '@codemirror/search'
import { Compartment, EditorState } from '@codemirror/state'
import {
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
} from '@codemirror/view'
import { languageFor } from './languages'
import { siteTheme } from './theme'

/** An editor of text on the page. */
export interface TextEditor {
  text(): string
  /** Replaces the text, which can be undone. */
  setText(text: string): void
  /** Highlights the language of files with this name. */
  setName(name: string): void
  setWrapped(isWrapped: boolean): void
  find(): void
  focus(): void
  destroy(): void
}

interface EditorOptions {
  parent: HTMLElement
  text: string
  /** Start and end of the selection. */
  selection: [number, number]
  /** One level of indentation. */
  indent: string
  /** Whether line endings other than `\n` are part of the text. */
  keepsReturns: boolean
  /** Accessible name, and the ID of the element that describes the keys. */
  label: string
  describedBy: string
  onChange: () => void
}

/** Replaces the content of an element by an editor. */
export function createEditor(options: EditorOptions): TextEditor {
  const { parent, text, selection, indent, keepsReturns, label, describedBy, onChange } = options
  const language = new Compartment()
  const wrapping = new Compartment()
  let name = ''
  const separator = keepsReturns ? EditorState.lineSeparator.of('\n') : []
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: text,
      selection: { anchor: selection[0], head: selection[1] },
      extensions: [
        separator,
        lineNumbers(),
        highlightActiveLine(),
        highlightActiveLineGutter(),
        highlightSpecialChars(),
        highlightSelectionMatches(),
        history(),
        indentOnInput(),
        bracketMatching(),
        search({ top: true }),
        indentUnit.of(indent),
        EditorState.tabSize.of(indent === '\t' ? 4 : indent.length),
        keymap.of([...searchKeymap, ...historyKeymap, indentWithTab, ...defaultKeymap]),
        EditorView.contentAttributes.of({
          'aria-label': label,
          'aria-describedby': describedBy,
          tabindex: '0',
        }),
        EditorView.updateListener.of(({ docChanged }) => (docChanged ? onChange() : undefined)),
        language.of([]),
        wrapping.of([]),
        siteTheme,
      ],
    }),
  })
  return {
    text: () => view.state.doc.toString(),
    setText: text =>
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: view.state.toText(text) } }),
    setName: next => {
      if (next === name) return
      name = next
      // The text stays without colors if they cannot be loaded.
      languageFor(next).then(
        support =>
          next === name ? view.dispatch({ effects: language.reconfigure(support ?? []) }) : undefined,
        () => undefined,
      )
    },
    setWrapped: isWrapped =>
      view.dispatch({ effects: wrapping.reconfigure(isWrapped ? EditorView.lineWrapping : []) }),
    find: () => void openSearchPanel(view),
    focus: () => view.focus(),
    destroy: () => view.destroy(),
  }
}
