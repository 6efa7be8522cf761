'use client'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ListSkeleton } from '@/app/_components/list-skeleton'
import { isLoss } from '@/app/_features/places/is-loss'
import { useSelfUpdating } from '@/app/_lib/hold-refresh'
import { hookKey, hookQuery } from '@/app/_lib/queries/hooks'
import { useLazyComponent } from '@/app/_lib/use-lazy-component'
import { useLive } from '@/app/_lib/use-live'
import type { PlaceName } from '@/server/places/schema'
import { CreatedNotice } from './created-notice'
import { DeleteHookSection, EditHookForm } from './edit-hook-form'
import { HookFrame } from './hook-frame'
import type { LostHooks } from './lost-hooks'
import { SealedPanels } from './sealed-panels'

interface HookScreenProps {
  place: PlaceName
  id: number
}

/** The settings of one hook. */
export function HookScreen({ place, id }: HookScreenProps): ReactNode {
  const { data: hook, error } = useQuery(hookQuery(place, id))
  const queryClient = useQueryClient()
  useSelfUpdating(error)
  useLive(
    [{ topic: 'hook', id }],
    () => void queryClient.invalidateQueries({ queryKey: hookKey({ place, id }) }),
  )
  if (isLoss(error)) return <LazyLostHooks place={place} what="this webhook" error={error} />
  if (!hook) return <ListSkeleton />
  return (
    <HookFrame place={place} hook={hook} tab="settings">
      <CreatedNotice place={place} hook={hook} />
      <EditHookForm place={place} hook={hook} />
      <SealedPanels place={place} hook={hook} />
      <DeleteHookSection place={place} hook={hook} />
    </HookFrame>
  )
}

// Hooks are rarely lost while their page is open.
function LazyLostHooks(props: Parameters<typeof LostHooks>[0]): ReactNode {
  const Lost = useLazyComponent(async () => (await import('./lost-hooks')).LostHooks, true)
  return Lost ? <Lost {...props} /> : null
}
