'use client'
import { type ReactNode, type Ref, useEffect, useId, useImperativeHandle, useRef, useState } from 'react'
import { useHydrated } from '@/app/_lib/workarounds/use-hydrated'
import type { TextEditor } from './codemirror/editor'
import styles from './edit.module.css'

/** What a page does with the text that is edited. */
export type TextHandle = Pick<TextEditor, 'text' | 'setText' | 'find' | 'focus'>

interface CodeTextProps {
  ref: Ref<TextHandle>
  /** Text at first. */
  text: string
  /** Name of the file, which says what language it is in. */
  name: string
  /** One level of indentation. */
  indent: string
  /** Whether the text mixes line endings, which a plain field would change. */
  isMixed: boolean
  isWrapped: boolean
  onChange: () => void
  onReady: () => void
}

/** Field for the text of a file: a plain one until the editor has loaded, and if it cannot be loaded. */
export function CodeText({
  ref,
  text,
  name,
  indent,
  isMixed,
  isWrapped,
  onChange,
  onReady,
}: CodeTextProps): ReactNode {
  const hydrated = useHydrated()
  const holder = useRef<HTMLDivElement>(null)
  const plain = useRef<HTMLTextAreaElement>(null)
  const loaded = useRef<TextEditor>(undefined)
  const [state, setState] = useState<'loading' | 'ready' | 'failed'>('loading')
  const hint = useId()
  const latest = useRef({ onChange, onReady, name, isWrapped, text, indent, isMixed })
  latest.current = { onChange, onReady, name, isWrapped, text, indent, isMixed }

  useEffect(() => {
    let isOver = false
    let editor: TextEditor | undefined
    const begin = async (): Promise<void> => {
      const { createEditor } = await import('./codemirror/editor')
      const field = plain.current
      if (isOver || !holder.current || !field) return
      const { indent, isMixed, text } = latest.current
      const hadFocus = document.activeElement === field
      // Both would be laid out below each other until the next rendering.
      field.hidden = true
      editor = createEditor({
        parent: holder.current,
        text: isMixed ? text : field.value,
        selection: hadFocus ? [field.selectionStart, field.selectionEnd] : [0, 0],
        indent,
        keepsReturns: isMixed,
        label: 'Content of the file',
        describedBy: hint,
        onChange: () => latest.current.onChange(),
      })
      loaded.current = editor
      editor.setName(latest.current.name)
      editor.setWrapped(latest.current.isWrapped)
      if (hadFocus) editor.focus()
      setState('ready')
      latest.current.onReady()
    }
    begin().catch(() => (isOver ? undefined : setState('failed')))
    return () => {
      isOver = true
      editor?.destroy()
      loaded.current = undefined
    }
  }, [hint])

  useEffect(() => loaded.current?.setName(name), [name])
  useEffect(() => loaded.current?.setWrapped(isWrapped), [isWrapped])

  useImperativeHandle(ref, () => ({
    text: () =>
      loaded.current?.text() ?? (latest.current.isMixed ? latest.current.text : (plain.current?.value ?? '')),
    setText: next => {
      if (loaded.current) loaded.current.setText(next)
      else if (plain.current) plain.current.value = next
      latest.current.onChange()
    },
    find: () => loaded.current?.find(),
    focus: () => (loaded.current ?? plain.current)?.focus(),
  }))

  return (
    <>
      <div ref={holder} className={styles.text} data-state={state}>
        <textarea
          ref={plain}
          hidden={state === 'ready'}
          className={styles.plain}
          aria-label="Content of the file"
          aria-describedby={hint}
          defaultValue={text}
          readOnly={!hydrated || isMixed}
          spellCheck={false}
          autoCapitalize="off"
          wrap={isWrapped ? 'soft' : 'off'}
          suppressHydrationWarning
          onChange={onChange}
        />
      </div>
      <p id={hint} className={styles.keys}>
        {state === 'failed'
          ? 'The editor couldn’t be loaded, so this is a plain text field. Reload the page to try again.'
          : 'Tab indents. To leave the editor by keyboard, press Escape and then Tab. Ctrl F or ⌘ F finds and replaces. Ctrl S or ⌘ S commits.'}
      </p>
    </>
  )
}
