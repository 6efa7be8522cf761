'use client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Banner } from '@/app/_components/banner'
import { Button, Label } from '@/app/_components/primer'
import { RelativeDate } from '@/app/_components/relative-date'
import { readFailure } from '@/app/_lib/failure'
import { hooksKey } from '@/app/_lib/queries/hooks'
import { toast } from '@/app/_lib/toast'
import { trpc } from '@/app/_lib/trpc'
import { isolated } from '@/app/_lib/visible-text'
import type { ManagedHook } from '@/server/hooks/manage/schema'
import type { ScopeName } from '@/server/scopes/schema'
import { stateOf } from './hook-filter'
import { hookTitle } from './hook-title'
import styles from './hooks.module.css'

const variants = {
  Active: 'success',
  Inactive: 'secondary',
  Failing: 'attention',
  Disabled: 'danger',
} as const

/** Label with a hook's state. */
export function StateLabel({ hook }: { hook: ManagedHook }): ReactNode {
  const state = stateOf(hook)
  return <Label variant={variants[state]}>{state}</Label>
}

interface StateNoticeProps {
  scope: ScopeName
  hook: ManagedHook
}

/**
 * Banner that explains why the site stopped or will soon stop sending, and what to do. Renders nothing for a
 * healthy hook.
 */
export function StateNotice({ scope, hook }: StateNoticeProps): ReactNode {
  const { active, disabled_reason: reason, failing_since: since } = hook
  if (reason === null) {
    if (!active || since === null) return null
    return (
      <Banner
        className={styles.notice}
        variant="warning"
        title="Deliveries are failing"
        description={
          <>
            All recent attempts have failed, starting <RelativeDate value={since} />. Each delivery is
            attempted up to ten times over almost four days. If no attempt succeeds for five days and at least
            ten attempts fail, the webhook will be disabled.
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
          <p>{disabledText[reason]} Nothing will be sent until you re-enable it.</p>
          <div>
            <TurnOnButton scope={scope} hook={hook} />
          </div>
        </div>
      }
    />
  )
}

/** Reason why a hook was disabled, and what to do before re-enabling it. */
export const disabledText = {
  gone: 'The receiver responded with 410 Gone, which asks the site to stop sending deliveries. Check the URL before you re-enable the webhook.',
  failing:
    'All attempts (at least ten) failed for five days. Check the latest deliveries and fix the receiver before you re-enable the webhook.',
} as const

function TurnOnButton({ scope, hook }: StateNoticeProps): ReactNode {
  const queryClient = useQueryClient()
  const turning = useMutation({
    mutationFn: () => trpc.hooks.set.mutate({ scope, id: hook.id, active: true }),
    onSuccess: async () => {
      toast.success(`Re-enabled ${isolated(hookTitle(hook))}`)
      await queryClient.invalidateQueries({ queryKey: hooksKey(scope) })
    },
    onError: error => toast.error(readFailure(error).message),
  })
  return (
    <Button loading={turning.isPending} onClick={() => turning.mutate()}>
      Re-enable
    </Button>
  )
}
