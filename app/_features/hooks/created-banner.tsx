'use client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef } from 'react'
import { Banner } from '@/app/_components/banner'
import { CommandLine } from '@/app/_components/copy-button'
import { QuietLink } from '@/app/_components/links'
import { Button } from '@/app/_components/primer'
import { readFailure } from '@/app/_lib/failure'
import { hookKey } from '@/app/_lib/queries/hooks'
import { toast } from '@/app/_lib/toast'
import { trpc } from '@/app/_lib/trpc'
import { useSingleFlight } from '@/app/_lib/use-single-flight'
import type { BrowsedHook } from '@/server/hooks/manage/schema'
import type { ScopeName } from '@/server/scopes/schema'
import { hooksPath } from './hook-paths'
import styles from './hooks.module.css'

interface CreatedBannerProps {
  scope: ScopeName
  hook: BrowsedHook
  secret: string
}

/**
 * Banner after the creation of a hook, with its secret, which can't be shown again, and a button that sends a
 * ping.
 */
export function CreatedBanner({ scope, hook, secret }: CreatedBannerProps): ReactNode {
  const banner = useRef<HTMLElement>(null)
  useEffect(() => banner.current?.focus(), [])
  return (
    <Banner
      ref={banner}
      tabIndex={-1}
      className={styles.notice}
      variant="success"
      title={secret ? 'Webhook created: copy its secret now' : 'Webhook created'}
      description={
        <div className={styles.stack}>
          {secret ? (
            <>
              <p>
                Your receiver needs the secret to verify deliveries. It won’t be shown again, but you can
                replace it at any time.
              </p>
              <CommandLine command={secret} what="secret" />
            </>
          ) : null}
          <FirstPing scope={scope} hook={hook} />
        </div>
      }
    />
  )
}

function FirstPing({ scope, hook: { id, health } }: Omit<CreatedBannerProps, 'secret'>): ReactNode {
  const queryClient = useQueryClient()
  const pinging = useMutation({
    mutationFn: () => trpc.hooks.ping.mutate({ scope, id }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: hookKey({ scope, id }) }),
    onError: error => toast.error(readFailure(error).message),
  })
  // Repeated clicks send only one delivery.
  const ping = useSingleFlight(() => pinging.mutateAsync().catch(() => undefined))
  return (
    <>
      <p>Send a ping to check that the receiver responds.</p>
      <div className={styles.ping}>
        <Button loading={pinging.isPending} onClick={() => void ping()}>
          Send a ping
        </Button>
        <span role="status">
          {pinging.isSuccess && health.last ? (
            <>
              {answerText(health.last)}{' '}
              <QuietLink href={hooksPath(scope, `${id}/deliveries`)} inline>
                {health.last.status === 'failed' ? 'See why' : 'View deliveries'}
              </QuietLink>
            </>
          ) : null}
        </span>
      </div>
    </>
  )
}

function answerText({ status, code }: NonNullable<BrowsedHook['health']['last']>): string {
  if (status === 'pending') return 'Sending…'
  if (status === 'delivered') return `The receiver responded with ${code}.`
  return code === null
    ? 'The ping received no response.'
    : `The ping failed. The receiver responded with ${code}.`
}
