'use client'
import { type ReactNode, useEffect, useState } from 'react'
import { useLazyComponent } from '@/app/_lib/workarounds/use-lazy-component'
import type { BrowsedHook } from '@/server/hooks/manage/schema'
import type { ScopeName } from '@/server/scopes/schema'

interface CreatedHook {
  id: number
  /** As it was entered; empty without one. */
  secret: string
}

let created: CreatedHook | undefined

/** Tells the page of the hook, which comes next, that it was created just now; its secret is told nowhere else. */
export function noteCreated(hook: CreatedHook): void {
  created = hook
}

interface CreatedNoticeProps {
  scope: ScopeName
  hook: BrowsedHook
}

const loadBanner = async () => (await import('./created-banner')).CreatedBanner

/** What the page of a hook says once, when it was created just now. */
export function CreatedNotice({ scope, hook }: CreatedNoticeProps): ReactNode {
  // The server, and whoever comes by another way, has none.
  const [shown] = useState(() => (created?.id === hook.id ? created : undefined))
  const Banner = useLazyComponent(loadBanner, shown !== undefined)
  useEffect(() => {
    return () => {
      created = undefined
    }
  }, [])
  return shown && Banner ? <Banner scope={scope} hook={hook} secret={shown.secret} /> : null
}
