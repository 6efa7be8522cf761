'use client'
import { useRef, useState } from 'react'
import { readFailure, showFailure } from '@/app/_lib/failure'
import type { RepoPath } from '@/app/_lib/paths'
import { trpc } from '@/app/_lib/trpc'
import type { EditedRelease } from '@/server/releases/manage/schema'
import type { Release } from '@/server/releases/schema'
import { editOf, type ReleaseValues, valuesOf } from './release-values'
import { type ReleaseFields, useReleaseFields } from './use-release-fields'

/** Last known state of the release on the server. */
export interface KnownRelease {
  id: number
  tag: string
  draft: boolean
}

interface ReleaseForm extends Pick<ReleaseFields, 'form' | 'conflicts' | 'takeTheirs'> {
  /** Null until the release is created. */
  known: KnownRelease | null
  isSaving: boolean
  /**
   * Creates a draft that files can belong to, unless the release exists. `isSaving` stays false, because a
   * button that shows its loading state between mouse down and mouse up would lose the click.
   */
  begin: () => Promise<KnownRelease | undefined>
  /**
   * Creates the release or saves its changes. Returns undefined on failure, and the form then shows the
   * error.
   */
  store: (draft: boolean) => Promise<KnownRelease | undefined>
  /** Converts the release to a draft without saving other changes. */
  withdraw: () => Promise<void>
  /**
   * Checks whether someone else deleted or published the release or converted it to a draft, and updates the
   * form and `notice`.
   */
  follow: () => Promise<void>
  /** Message about a change that `follow` found; undefined if there is none. */
  notice: string | undefined
}

/**
 * Manages the form of a release. The release can be created while the form is being filled in, because
 * attached files must belong to a release.
 */
export function useReleaseForm(
  path: RepoPath,
  release: EditedRelease | null,
  blank: ReleaseValues,
): ReleaseForm {
  const fields = useReleaseFields(release ? valuesOf(release) : blank)
  const { form } = fields
  const { known, learn, latest } = useKnownRelease(release)
  const { oneAtATime, isUnderWay, idle } = useQueue()
  const [notice, setNotice] = useState<string>()
  const [isSaving, setSaving] = useState(false)

  const store = async (draft: boolean): Promise<KnownRelease | undefined> => {
    form.clearErrors()
    if (!form.getValues('tag_name').trim()) {
      form.setError('tag_name', { message: 'Choose a tag.' }, { shouldFocus: true })
      return undefined
    }
    try {
      const now = await send(path, fields, latest(), draft)
      fields.clearConflicts()
      setNotice(undefined)
      return learn(now)
    } catch (error) {
      const { current } = readFailure(error)
      if (current) showConflicts(current)
      else showFailure(form, error)
      return undefined
    }
  }

  const showConflicts = ({ draft, ...theirs }: Record<string, string | boolean>): void => {
    fields.showConflicts(theirs)
    const before = latest()
    if (typeof draft !== 'boolean' || !before) return
    learn({ id: before.id, tag_name: before.tag, draft })
    const what = draft ? 'converted this release to a draft' : 'published this release'
    form.setError('root.server', {
      message: `Someone else ${what} while you were editing. Review it and save again.`,
    })
  }

  const follow = async (): Promise<void> => {
    await idle()
    const before = latest()
    if (!before) return
    try {
      const now = await trpc.releases.get.query({ ...path, id: before.id })
      // A save in progress reports the new state itself.
      if (isUnderWay() || latest() !== before || now.draft === before.draft) return
      learn(now)
      fields.accept({ ...fields.saved(), target_commitish: now.target_commitish }, fields.saved())
      setNotice(now.draft ? becameDraft : 'Someone else published this release.')
    } catch (error) {
      if (readFailure(error).kind === 'notFound') setNotice('This release was deleted.')
    }
  }

  return {
    form,
    known,
    conflicts: fields.conflicts,
    takeTheirs: fields.takeTheirs,
    isSaving,
    begin: () => oneAtATime(async () => latest() ?? (await store(true))),
    store: async draft => {
      setSaving(true)
      return await oneAtATime(() => store(draft)).finally(() => setSaving(false))
    },
    withdraw: () =>
      oneAtATime(async () => {
        const { id } = latest() ?? {}
        if (id === undefined) return
        const edit = { changes: { draft: true }, expected: { draft: false } }
        learn(await trpc.releases.save.mutate({ ...path, id, ...edit }))
      }),
    follow,
    notice,
  }
}

const becameDraft =
  'This release is a draft again because its tag was deleted or someone converted it back to a draft.'

async function send(
  path: RepoPath,
  { form, saved, accept }: ReleaseFields,
  known: KnownRelease | null,
  draft: boolean,
): Promise<Release> {
  const values = { ...form.getValues() }
  const now = known
    ? await trpc.releases.save.mutate({
        ...path,
        id: known.id,
        ...editOf(saved(), values, { from: known.draft, to: draft }),
      })
    : await trpc.releases.create.mutate({ ...path, ...values, draft })
  const { tag_name, name, target_commitish } = now
  accept({ ...values, tag_name, name, target_commitish }, values)
  return now
}

/**
 * Tracks the release's state as last reported by the server. `latest` returns the current state even in
 * callbacks from earlier renders.
 */
function useKnownRelease(release: EditedRelease | null) {
  const [known, setKnown] = useState<KnownRelease | null>(
    release && { id: release.id, tag: release.tag_name, draft: release.draft },
  )
  const latest = useRef(known)
  const learn = ({ id, tag_name: tag, draft }: Pick<Release, 'id' | 'tag_name' | 'draft'>): KnownRelease => {
    const next = { id, tag, draft }
    latest.current = next
    setKnown(next)
    return next
  }
  return { known, learn, latest: () => latest.current }
}

/** Runs one save at a time, so that concurrent saves cannot create two releases. */
function useQueue() {
  const underWay = useRef<Promise<unknown>>(undefined)
  const idle = async (): Promise<void> => {
    while (underWay.current) await underWay.current
  }
  return {
    idle,
    isUnderWay: () => underWay.current !== undefined,
    async oneAtATime<T>(act: () => Promise<T>): Promise<T> {
      await idle()
      const doing = act()
      underWay.current = doing.catch(() => undefined)
      return await doing.finally(() => {
        underWay.current = undefined
      })
    },
  }
}
