'use client'
import { type ReactNode, useEffect, useState } from 'react'
import { useLazyComponent } from '@/app/_lib/workarounds/use-lazy-component'
import type { BrowsedHook } from '@/server/hooks/manage/schema'
import type { ScopeName } from '@/server/scopes/schema'

interface CreatedHook {
  id: number
  /** The secret as entered. Empty if there is none. */
  secret: string
}

let created: CreatedHook | undefined

/**
 * Remembers a hook that was just created, with its secret, for its settings page, which opens next. Both are
 * forgotten when that page is left or reloaded.
 */
export function noteCreated(hook: CreatedHook): void {
  created = hook
}

interface CreatedNoticeProps {
  scope: ScopeName
  hook: BrowsedHook
}

const loadBanner = async () => (await import('./created-banner')).CreatedBanner

/** Shows a banner on the page of a hook that was just created. */
export function CreatedNotice({ scope, hook }: CreatedNoticeProps): ReactNode {
  // Undefined on the server and for people who open the page any other way.
  const [shown] = useState(() => (created?.id === hook.id ? created : undefined))
  const Banner = useLazyComponent(loadBanner, shown !== undefined)
  useEffect(() => {
    return () => {
      created = undefined
    }
  }, [])
  return shown && Banner ? <Banner scope={scope} hook={hook} secret={shown.secret} /> : null
}
