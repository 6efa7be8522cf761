'use client'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { isUnderWay, type Upload } from '@/app/_features/releases/uploads/upload'
import { releasePath } from '@/app/_lib/paths'
import { toast } from '@/app/_lib/toast'
import { isolated, visibleLine } from '@/app/_lib/visible-text'
import { refreshPage } from '@/app/_lib/workarounds/navigation-queue'
import { stopAsking } from '@/app/_lib/workarounds/use-unsaved-warning'
import type { Repository } from '@/server/repos/schema'
import type { KnownRelease, useReleaseForm } from './use-release-form'

interface ReleaseSaving {
  /** The button that was pressed last. */
  pressed: 'publish' | 'save' | undefined
  /** Saves the release. A draft stays a draft. */
  save: () => Promise<void>
  publish: () => Promise<void>
  /** Saves a draft that files can be attached to, and stays on the page. */
  keepDraft: () => Promise<void>
}

/** Saves a release, reports the result, and then opens the release or stays on the page. */
export function useReleaseSaving(
  repository: Repository,
  { known, begin, store }: ReturnType<typeof useReleaseForm>,
  latestUploads: () => readonly Upload[],
): ReleaseSaving {
  const router = useRouter()
  const [pressed, setPressed] = useState<'publish' | 'save'>()

  const stay = (now: KnownRelease): void => {
    const editPath = releasePath(repository, now.tag, 'edit')
    if (editPath === window.location.pathname) return
    window.history.replaceState(null, '', editPath)
    // The router does not update the title if only the URL is replaced.
    document.title = [`Edit ${visibleLine(now.tag)}`, ...document.title.split(' · ').slice(1)].join(' · ')
  }

  const leave = (now: KnownRelease): void => {
    // Leaving the page would interrupt running uploads and prevent a retry of failed ones. Rejected and
    // interrupted uploads lose nothing.
    if (latestUploads().some(upload => isUnderWay(upload) || upload.state === 'failed')) {
      stay(now)
      return
    }
    stopAsking()
    router.push(releasePath(repository, now.tag))
    refreshPage()
  }

  return {
    pressed,
    async save() {
      setPressed('save')
      const now = await store(!known || known.draft)
      if (!now) return
      toast.success(now.draft ? `Saved the draft of ${isolated(now.tag)}` : `Updated ${isolated(now.tag)}`)
      if (now.draft) stay(now)
      else leave(now)
    },
    async publish() {
      setPressed('publish')
      const now = await store(false)
      if (!now) return
      toast.success(`Published ${isolated(now.tag)}`)
      leave(now)
    },
    async keepDraft() {
      const now = await begin()
      if (now) stay(now)
    },
  }
}
