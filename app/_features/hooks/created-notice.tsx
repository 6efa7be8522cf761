'use client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { CommandLine } from '@/app/_components/copy-button'
import { QuietLink } from '@/app/_components/links'
import { Banner, Button } from '@/app/_components/primer'
import { readFailure } from '@/app/_lib/failure'
import { queryKeys } from '@/app/_lib/queries'
import { toast } from '@/app/_lib/toast'
import { trpc } from '@/app/_lib/trpc'
import type { BrowsedHook } from '@/server/hooks/manage/schema'
import type { HookPlaceName } from '@/server/hooks/schema'
import { hooksPath } from './hook-place'
import styles from './hooks.module.css'

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
  place: HookPlaceName
  hook: BrowsedHook
}

/** On the page of a hook that was created just now: its secret, for the only time, and a way to try it out. */
export function CreatedNotice({ place, hook }: CreatedNoticeProps): ReactNode {
  // The server, and whoever comes by another way, has none.
  const [shown] = useState(() => (created?.id === hook.id ? created : undefined))
  const banner = useRef<HTMLElement>(null)
  useEffect(() => {
    banner.current?.focus()
    return () => {
      created = undefined
    }
  }, [])
  if (!shown) return null
  return (
    <Banner
      ref={banner}
      tabIndex={-1}
      className={styles.notice}
      variant="success"
      title={shown.secret ? 'Webhook created: copy its secret now' : 'Webhook created'}
      description={
        <div className={styles.stack}>
          {shown.secret ? (
            <>
              <p>
                Your receiver needs the secret to verify deliveries. It will not be shown again, but you can
                replace it at any time.
              </p>
              <CommandLine command={shown.secret} what="secret" />
            </>
          ) : null}
          <FirstPing place={place} hook={hook} />
        </div>
      }
    />
  )
}

function FirstPing({ place, hook: { id, health } }: CreatedNoticeProps): ReactNode {
  const queryClient = useQueryClient()
  const pinging = useMutation({
    mutationFn: () => trpc.hooks.ping.mutate({ place, id }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: queryKeys.hook({ place, id }) }),
    onError: error => toast.error(readFailure(error).message),
  })
  return (
    <>
      <p>Send a ping to check that the receiver responds.</p>
      <div className={styles.ping}>
        <Button loading={pinging.isPending} onClick={() => pinging.mutate()}>
          Send a ping
        </Button>
        <span role="status">
          {pinging.isSuccess && health.last ? (
            <>
              {answerWords(health.last)}{' '}
              <QuietLink href={hooksPath(place, `${id}/deliveries`)} inline>
                View deliveries
              </QuietLink>
            </>
          ) : null}
        </span>
      </div>
    </>
  )
}

function answerWords({ status, code }: NonNullable<BrowsedHook['health']['last']>): string {
  if (status === 'pending') return 'Sending…'
  if (status === 'delivered') return `The receiver answered ${code}.`
  return code === null ? 'The receiver did not answer.' : `The ping failed. The receiver answered ${code}.`
}
