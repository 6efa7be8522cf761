'use client'
import { useRef, useState } from 'react'
import { type UseFormReturn, useForm } from 'react-hook-form'
import { readFailure, showFailure } from '@/app/_lib/failure'
import type { RepoPath } from '@/app/_lib/paths'
import { trpc } from '@/app/_lib/trpc'
import type { SaveConflict } from '@/app/_lib/use-save-form'
import type { EditedRelease } from '@/server/releases/manage/schema'
import type { Release } from '@/server/releases/schema'

export interface ReleaseValues {
  [field: string]: string | boolean
  tag_name: string
  target_commitish: string
  name: string
  body: string
  prerelease: boolean
}

export const labels = {
  tag_name: 'Tag',
  target_commitish: 'Target',
  name: 'Title',
  body: 'Notes',
  prerelease: 'Pre-release',
}

/** What is known of the release on the server. */
export interface KnownRelease {
  id: number
  tag: string
  draft: boolean
}

interface ReleaseForm {
  form: UseFormReturn<ReleaseValues>
  known: KnownRelease | null
  conflicts: readonly SaveConflict[]
  takeTheirs: (conflict: SaveConflict) => void
  isSaving: boolean
  /**
   * Creates a draft for files to belong to, unless the release exists. Does not count as saving: a button that starts
   * loading between mouse down and mouse up would lose the click.
   */
  begin: () => Promise<KnownRelease | undefined>
  /** Creates the release, or sends what was changed of it; undefined when that failed, which is told on the form. */
  store: (draft: boolean) => Promise<KnownRelease | undefined>
  /** Makes it a draft again, and changes nothing else. */
  withdraw: () => Promise<void>
  /** Finds out whether someone else deleted, published, or withdrew it. */
  follow: () => Promise<void>
  /** What `follow` found out. */
  notice: string | undefined
}

/** The fields of a release, which comes to be while they are filled in: a file that is added needs one to belong to. */
export function useReleaseForm(
  path: RepoPath,
  release: EditedRelease | null,
  blank: ReleaseValues,
): ReleaseForm {
  const [begun] = useState(release ? valuesOf(release) : blank)
  const form = useForm<ReleaseValues>({ defaultValues: begun })
  const [known, setKnown] = useState<KnownRelease | null>(
    release && { id: release.id, tag: release.tag_name, draft: release.draft },
  )
  const [conflicts, setConflicts] = useState<readonly SaveConflict[]>([])
  const [notice, setNotice] = useState<string>()
  const saved = useRef(begun)
  // Read after waiting, when `known` of that render may be outdated.
  const last = useRef(known)
  const underWay = useRef<Promise<unknown>>(undefined)
  const [isSaving, setSaving] = useState(false)

  const learn = ({ id, tag_name: tag, draft }: Release): KnownRelease => {
    const next = { id, tag, draft }
    last.current = next
    setKnown(next)
    return next
  }

  const send = async (draft: boolean): Promise<KnownRelease> => {
    const values = { ...form.getValues() }
    const { current } = last
    const now = current
      ? await trpc.releases.save.mutate({
          ...path,
          id: current.id,
          ...editOf(saved.current, values, { from: current.draft, to: draft }),
        })
      : await trpc.releases.create.mutate({ ...path, ...values, draft })
    take(
      { ...values, tag_name: now.tag_name, name: now.name, target_commitish: now.target_commitish },
      values,
    )
    setConflicts([])
    setNotice(undefined)
    return learn(now)
  }

  /** Counts `next` as saved. Fields that no longer hold what they held `before` were edited since, and stay unsaved. */
  const take = (next: ReleaseValues, before: ReleaseValues): void => {
    saved.current = next
    for (const [field, value] of Object.entries(next)) {
      if (form.getValues(field) === before[field] && value !== before[field]) form.setValue(field, value)
    }
    form.reset(next, { keepValues: true })
  }

  // From now on theirs counts as what is saved, so that saving again replaces it knowingly.
  const meet = ({ draft, ...current }: Record<string, string | boolean>): void => {
    saved.current = { ...saved.current, ...current }
    setConflicts(
      Object.entries(current).map(([field, theirs]) => ({ field, theirs, mine: form.getValues(field) })),
    )
    form.reset(saved.current, { keepValues: true })
    if (typeof draft !== 'boolean' || !last.current) return
    last.current = { ...last.current, draft }
    setKnown(last.current)
    const what = draft ? 'converted this release to a draft' : 'published this release'
    form.setError('root.server', {
      message: `Someone else has ${what} in the meantime. Review it and save again.`,
    })
  }

  // One at a time: a second save must not create a second release.
  const oneAtATime = async <T>(act: () => Promise<T>): Promise<T> => {
    while (underWay.current) await underWay.current
    const doing = act()
    underWay.current = doing.catch(() => undefined)
    try {
      return await doing
    } finally {
      underWay.current = undefined
    }
  }

  const store = async (draft: boolean): Promise<KnownRelease | undefined> => {
    form.clearErrors()
    if (!form.getValues('tag_name').trim()) {
      form.setError('tag_name', { message: 'Choose a tag.' }, { shouldFocus: true })
      return undefined
    }
    try {
      return await send(draft)
    } catch (error) {
      const { current } = readFailure(error)
      if (current) meet(current)
      else showFailure(form, error)
      return undefined
    }
  }

  const follow = async (): Promise<void> => {
    while (underWay.current) await underWay.current
    const before = last.current
    if (!before) return
    try {
      const now = await trpc.releases.get.query({ ...path, id: before.id })
      // A save of this page that is under way tells by itself.
      if (underWay.current || last.current !== before || now.draft === before.draft) return
      learn(now)
      take({ ...saved.current, target_commitish: now.target_commitish }, saved.current)
      setNotice(now.draft ? becameDraft : 'Someone else has published this release.')
    } catch (error) {
      if (readFailure(error).kind === 'notFound') setNotice('This release has been deleted.')
    }
  }

  return {
    form,
    known,
    conflicts,
    takeTheirs: ({ field, theirs }) => {
      form.setValue(field, theirs, { shouldDirty: true })
      setConflicts(conflicts.filter(conflict => conflict.field !== field))
      form.setFocus(field)
    },
    isSaving,
    begin: () => oneAtATime(async () => last.current ?? (await store(true))),
    store: async draft => {
      setSaving(true)
      try {
        return await oneAtATime(() => store(draft))
      } finally {
        setSaving(false)
      }
    },
    withdraw: () =>
      oneAtATime(async () => {
        if (!last.current) return
        const edit = { changes: { draft: true }, expected: { draft: false } }
        learn(await trpc.releases.save.mutate({ ...path, id: last.current.id, ...edit }))
      }),
    follow,
    notice,
  }
}

const becameDraft = 'This release has become a draft: its tag was deleted, or someone converted it.'

const valuesOf = (release: EditedRelease): ReleaseValues => ({
  tag_name: release.tag_name,
  target_commitish: release.target_commitish,
  name: release.name,
  body: release.body,
  prerelease: release.prerelease,
})

/** The fields that changed, with what they held before, and always the state: saving a draft must not change what was published. */
function editOf(saved: ReleaseValues, values: ReleaseValues, draft: { from: boolean; to: boolean }) {
  const changed = Object.keys(values).filter(field => values[field] !== saved[field])
  const pick = (all: ReleaseValues) =>
    Object.fromEntries(changed.map(field => [field, all[field] as string | boolean]))
  return {
    changes: { ...pick(values), draft: draft.to },
    expected: { ...pick(saved), draft: draft.from },
  }
}
