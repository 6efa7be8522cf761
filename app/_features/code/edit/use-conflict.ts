'use client'
import { useState } from 'react'
import { readFailure } from '@/app/_lib/failure'
import { encodedPath } from '@/app/_lib/paths'
import { trpc } from '@/app/_lib/trpc'
import type { EditPage } from '@/server/code/edit/schema'
import type { EditedRepository } from './edited-repository'
import { readTextForm } from './text-form'
import { type FileNews, useFileNews } from './use-file-news'
import type { Base, FileText } from './use-file-text'

/** Their version of the file, and the text that is proposed for the next one. */
export interface Conflict {
  theirs: Base
  proposed: string
  /** Number of our changes that were put into their version, and of regions that both changed; null if unknown. */
  combined: number | null
  conflicts: number | null
}

interface ConflictState {
  /** What has happened to the file in the branch since the text was last compared with it. */
  news: FileNews
  conflict: Conflict | undefined
  problem: string | undefined
  /** Fetches their version, and shows it with ours. If nothing was typed, theirs replaces it. */
  review: () => Promise<void>
  /** Continues with a text that was made of both versions. */
  settle: (text: string) => void
  cancel: () => void
}

/** Notices that others have changed or deleted the file that a page edits, and helps to put both versions together. */
export function useConflict(repository: EditedRepository, page: EditPage, file: FileText): ConflictState {
  const { owner, name: repo } = repository
  const { branch, path } = page
  const { news, note } = useFileNews(repository, page, file.base.id)
  const [conflict, setConflict] = useState<Conflict>()
  const [problem, setProblem] = useState<string>()

  const review = async (): Promise<void> => {
    setProblem(undefined)
    try {
      const now = await trpc.code.edit.open.query({ owner, repo, path: encodedPath(`${branch}/${path}`) })
      note({ commit: now.commit, id: now.file?.id ?? null })
      if (!now.file) return
      if (now.file.text === null) {
        return setProblem('The file is no longer text that can be edited here. Copy your text, and use Git.')
      }
      const theirs = { id: now.file.id, ...readTextForm(now.file.text) }
      const ours = file.editor.current?.text() ?? ''
      if (ours === file.base.text) {
        file.editor.current?.setText(theirs.text)
        return file.setBase(theirs)
      }
      file.keep()
      const { mergeTexts } = await import('./merge-texts')
      const merged = mergeTexts(file.base.text, ours, theirs.text)
      setConflict({
        theirs,
        proposed: merged?.text ?? ours,
        combined: merged?.combined ?? null,
        conflicts: merged?.conflicts ?? null,
      })
    } catch (failure) {
      setProblem(readFailure(failure).message)
    }
  }

  return {
    news,
    conflict,
    problem,
    review,
    settle: text => {
      if (!conflict) return
      file.editor.current?.setText(text)
      file.setBase(conflict.theirs)
      setConflict(undefined)
    },
    cancel: () => setConflict(undefined),
  }
}
