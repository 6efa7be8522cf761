'use client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Banner, Button, Label } from '@/app/_components/primer'
import { RelativeDate } from '@/app/_components/relative-date'
import { readFailure } from '@/app/_lib/failure'
import { queryKeys } from '@/app/_lib/queries'
import { toast } from '@/app/_lib/toast'
import { trpc } from '@/app/_lib/trpc'
import type { ManagedHook } from '@/server/hooks/manage/schema'
import type { HookPlaceName } from '@/server/hooks/schema'
import styles from './hooks.module.css'

/** Where a hook sends to, without a port that goes without saying. */
export const hookHost = ({ target }: Pick<ManagedHook, 'target'>): string =>
  target.replace(/:(?:80|443)$/, '')

/** What a hook is called in a list: its name, or where it sends to. */
export const hookTitle = (hook: Pick<ManagedHook, 'name' | 'target'>): string => hook.name || hookHost(hook)

/** Whether a hook sends, in a word. */
export function StateLabel({ hook }: { hook: ManagedHook }): ReactNode {
  if (hook.disabled_reason !== null) return <Label variant="danger">Disabled</Label>
  if (!hook.active) return <Label variant="secondary">Paused</Label>
  return hook.failing_since === null ? (
    <Label variant="success">Active</Label>
  ) : (
    <Label variant="attention">Failing</Label>
  )
}

interface StateNoticeProps {
  place: HookPlaceName
  hook: ManagedHook
  onTurnedOn?: (() => void) | undefined
}

/** Why the site stopped sending, or soon will, and what to do about it; nothing for a hook that is well. */
export function StateNotice({ place, hook, onTurnedOn }: StateNoticeProps): ReactNode {
  const { active, disabled_reason: reason, failing_since: since } = hook
  if (reason === null) {
    if (!active || since === null) return null
    return (
      <Banner
        className={styles.notice}
        variant="warning"
        title="Nothing arrives"
        description={
          <>
            All attempts failed lately, the first of them <RelativeDate value={since} />. Each is tried ten
            times over almost four days. After five days of nothing but failures, ten at least, the webhook is
            disabled.
          </>
        }
      />
    )
  }
  return (
    <Banner
      className={styles.notice}
      variant="critical"
      title="This webhook was disabled"
      description={
        <div className={styles.stack}>
          <p>{disabledWords[reason]} Nothing is sent until you turn it on again.</p>
          <div>
            <TurnOnButton place={place} hook={hook} onTurnedOn={onTurnedOn} />
          </div>
        </div>
      }
    />
  )
}

/** Why, and what to do before it is turned on again. */
export const disabledWords = {
  gone: 'Its receiver answered 410 Gone, which asks to send nothing more. Check the address first.',
  failing:
    'For five days every attempt failed, ten at least. Look at the last deliveries, and mend the receiver first.',
} as const

function TurnOnButton({ place, hook, onTurnedOn }: StateNoticeProps): ReactNode {
  const queryClient = useQueryClient()
  const turning = useMutation({
    mutationFn: () => trpc.hooks.set.mutate({ place, id: hook.id, active: true }),
    onSuccess: async () => {
      toast.success(`Turned on ${hookTitle(hook)}`)
      await queryClient.invalidateQueries({ queryKey: queryKeys.hooks(place) })
      onTurnedOn?.()
    },
    onError: error => toast.error(readFailure(error).message),
  })
  return (
    <Button loading={turning.isPending} onClick={() => turning.mutate()}>
      Turn on again
    </Button>
  )
}
