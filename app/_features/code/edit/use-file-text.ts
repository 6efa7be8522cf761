'use client'
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { trpc } from '@/app/_lib/trpc'
import { renderedFor } from '@/app/_lib/viewer'
import { useUnsavedWarning } from '@/app/_lib/workarounds/use-unsaved-warning'
import type { EditPage } from '@/server/code/edit/schema'
import type { TextHandle } from './code-text'
import { type Draft, dropDraft, keepDraft, readDraft } from './drafts'
import type { EditedRepository } from './edited-repository'
import { readTextForm, type TextForm, textOfBase64 } from './text-form'
import { joinPath, splitPath, type TypedPath } from './typed-path'

/** What the file had when it was last compared with what is typed. `id` is null if it did not exist. */
export interface Base extends TextForm {
  id: string | null
}

const pauseMs = 400
const nothing: Base = { id: null, text: '', lineEnd: 'lf', hasMark: false }

export interface FileText {
  editor: RefObject<TextHandle | null>
  base: Base
  setBase: (base: Base) => void
  path: TypedPath
  setPath: (path: TypedPath) => void
  isChanged: boolean
  /** What was typed on an earlier visit of the page, and is not restored yet. */
  found: Draft | undefined
  restore: () => Promise<void>
  discard: () => void
  /** Whether the browser keeps what is typed. */
  isKept: boolean
  noteChange: () => void
  /** Keeps what is typed at once. */
  keep: () => void
  /**
   * Forgets what is typed, because it is committed, unless more than the committed text was typed since. What another
   * tab has kept for the same file stays.
   */
  forget: (committed: string | undefined) => void
}

/** The text and path that a page edits. What is typed is kept in the browser until it is committed. */
export function useFileText(repository: EditedRepository, page: EditPage): FileText {
  const editor = useRef<TextHandle>(null)
  const { file } = page
  const [base, setBase] = useState<Base>(() =>
    file ? { id: file.id, ...readTextForm(file.text ?? '') } : nothing,
  )
  const first = file ? page.path : page.path && `${page.path}/`
  const [path, setPathNow] = useState(() => splitPath(first))
  const [isChanged, setChanged] = useState(false)
  const [isKept, setKept] = useState(true)
  const [found, setFound] = useState<Draft>()
  const key = `${file ? 'edit' : 'new'} ${repository.id} ${page.branch} ${page.path}`
  useUnsavedWarning(isChanged, 'Leave without committing your changes?')

  const latest = useRef({ base, path })
  latest.current = { base, path }
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const isOver = useRef(false)
  // The text that this tab has kept last: tabs with the same file share its draft.
  const own = useRef<string>(undefined)
  const drop = (...texts: (string | undefined)[]): void =>
    withStore(store => dropDraft(store, keyOf(key), [own.current, ...texts]))

  useEffect(() => {
    const draft = withStore(store => readDraft(store, keyOf(key), Date.now()))
    // Another tab can have kept again what was committed in the meantime.
    const isCommitted = draft?.text === latest.current.base.text && draft.path === first
    setFound(isCommitted ? undefined : draft)
  }, [key, first])
  // A layout effect, because the text is gone when others end.
  useLayoutEffect(() => {
    // Even if all is kept: another tab may have replaced it.
    const keepNow = (): void => keep.current()
    window.addEventListener('pagehide', keepNow)
    return () => {
      keepNow()
      window.removeEventListener('pagehide', keepNow)
    }
  }, [])
  useEffect(() => {
    const keepAgain = (event: StorageEvent): void => {
      if (event.newValue !== null || timer.current !== undefined) return
      const isRemoved = withStore(store => readDraft(store, keyOf(key), Date.now()) === undefined)
      if (isRemoved) keep.current({ isAgain: true })
    }
    window.addEventListener('storage', keepAgain)
    return () => window.removeEventListener('storage', keepAgain)
  }, [key])

  const keep = useRef<(how?: { isAgain: boolean }) => void>(() => undefined)
  keep.current = ({ isAgain } = { isAgain: false }) => {
    clearTimeout(timer.current)
    timer.current = undefined
    if (isOver.current) return
    const { base, path } = latest.current
    const isText = !file || file.text !== null
    if (isText && !editor.current) return
    const text = editor.current?.text() ?? base.text
    const now = joinPath(path)
    const differs = text !== base.text || (now !== first && now !== first.replace(/\/$/, ''))
    setChanged(differs)
    const draft = { text, path: now, base: base.id, at: Date.now() }
    if (differs) {
      own.current = text
      setKept(withStore(store => keepDraft(store, keyOf(key), draft, isAgain)) ?? false)
    } else if (!found) drop()
  }

  const noteChange = (): void => {
    if (isOver.current) return
    setChanged(true)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => keep.current(), pauseMs)
  }
  const setPath = (next: TypedPath): void => {
    setPathNow(next)
    latest.current.path = next
    noteChange()
  }

  return {
    editor,
    base,
    setBase: next => {
      setBase(next)
      latest.current.base = next
      noteChange()
    },
    path,
    setPath,
    isChanged,
    found,
    isKept,
    noteChange,
    keep: () => keep.current(),
    restore: async () => {
      if (!found) return
      setFound(undefined)
      own.current = found.text
      // What the text was made of may have changed since, which is then shown before it is committed.
      if (found.base !== null && found.base !== base.id) {
        const text = await textOf(repository, found.base)
        const former =
          text === undefined ? { ...nothing, id: found.base } : { id: found.base, ...readTextForm(text) }
        setBase(former)
        latest.current.base = former
      }
      setPathNow(splitPath(found.path))
      latest.current.path = splitPath(found.path)
      editor.current?.setText(found.text)
      noteChange()
      editor.current?.focus()
    },
    discard: () => {
      setFound(undefined)
      drop(found?.text)
      editor.current?.focus()
    },
    forget: committed => {
      const isMore = editor.current?.text() !== committed
      if (isMore) keep.current()
      isOver.current = true
      clearTimeout(timer.current)
      timer.current = undefined
      if (!isMore) drop(committed)
    },
  }
}

// People who share a browser do not see each other's text.
const keyOf = (key: string): string => `${renderedFor()} ${key}`

// Browsers can forbid its use.
function withStore<T>(use: (store: Storage) => T): T | undefined {
  try {
    return use(window.localStorage)
  } catch {
    return undefined
  }
}

async function textOf({ owner, name }: EditedRepository, sha: string): Promise<string | undefined> {
  try {
    const { content } = await trpc.code.getBlob.query({ owner, repo: name, sha })
    return content === null ? undefined : textOfBase64(content)
  } catch {
    return undefined
  }
}
