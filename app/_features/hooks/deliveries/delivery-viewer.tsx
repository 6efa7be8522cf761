'use client'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { CopyButton, CopyTextButton } from '@/app/_components/copy-button'
import { SyncIcon } from '@/app/_components/icons'
import { QuietLink } from '@/app/_components/links'
import { ListSkeleton } from '@/app/_components/list-skeleton'
import { Button } from '@/app/_components/primer'
import { RelativeDate } from '@/app/_components/relative-date'
import { hooksPath } from '@/app/_features/hooks/hook-paths'
import { readFailure } from '@/app/_lib/failure'
import { type HookName, hookKey } from '@/app/_lib/queries/hooks'
import { toast } from '@/app/_lib/toast'
import { trpc } from '@/app/_lib/trpc'
import { visibleLine } from '@/app/_lib/visible-text'
import type { HookAttempt, HookDeliveryDetails } from '@/server/hooks/log/schema'
import styles from './delivery-viewer.module.css'
import { MessageView } from './message-view'
import { deliveryQuery } from './queries'
import { curlOf, durationText } from './request-text'

interface DeliveryViewerProps {
  hook: HookName
  id: number
}

/** Shows a delivery with all its attempts (requests and responses) and the buttons that send it again. */
export function DeliveryViewer({ hook, id }: DeliveryViewerProps): ReactNode {
  const { data, error } = useQuery(deliveryQuery(hook, id))
  if (error) return <p role="alert">{readFailure(error).message}</p>
  if (!data) return <ListSkeleton rows={2} />
  return <DeliveryDetails hook={hook} delivery={data} />
}

interface DeliveryDetailsProps {
  hook: HookName
  delivery: HookDeliveryDetails
}

function DeliveryDetails({ hook, delivery }: DeliveryDetailsProps): ReactNode {
  const [selected, select] = useState<number>()
  const { guid, attempts, event_id: eventId } = delivery
  const shown = attempts.find(({ number }) => number === selected) ?? attempts.at(-1)
  return (
    <div className={styles.details}>
      <div className={styles.bar}>
        <span className={styles.guid}>
          <code>{guid}</code>
          <CopyButton text={guid} what="delivery ID" />
        </span>
        {eventId === null ? null : (
          <QuietLink href={hooksPath(hook.scope, `events?event=${eventId}`)}>View event</QuietLink>
        )}
        <span className={styles.actions}>
          {shown ? <CopyCurl delivery={delivery} attempt={shown} /> : null}
          <RedeliverButton hook={hook} delivery={delivery} />
        </span>
      </div>
      {attempts.length > 1 ? <AttemptList attempts={attempts} shown={shown} onSelect={select} /> : null}
      {shown ? (
        <AttemptView delivery={delivery} attempt={shown} />
      ) : (
        <MessageView
          title="Request"
          of={`delivery ${delivery.sequence}`}
          facts="Not sent yet"
          headers={{ 'Content-Type': delivery.content_type }}
          body={delivery.payload}
        />
      )}
    </div>
  )
}

/**
 * Copies the request of an attempt as a curl command. The request's URL can contain secrets, but this page
 * shows it to the same people anyway.
 */
function CopyCurl({ delivery, attempt }: { delivery: HookDeliveryDetails; attempt: HookAttempt }): ReactNode {
  const { url, request } = attempt
  const command = curlOf({ ...request, url, payload: delivery.payload })
  return <CopyTextButton text={command} label="Copy as curl" />
}

function RedeliverButton({ hook, delivery }: DeliveryDetailsProps): ReactNode {
  const queryClient = useQueryClient()
  const { scope, id } = hook
  const isPending = delivery.status === 'pending'
  const sending = useMutation({
    mutationFn: () => trpc.hooks.redeliver.mutate({ scope, id, delivery_id: delivery.id }),
    onSuccess: async () => {
      toast.success(`Sending delivery ${delivery.sequence} ${isPending ? 'now' : 'again'}`)
      await queryClient.invalidateQueries({ queryKey: hookKey(hook) })
    },
    onError: error => toast.error(readFailure(error).message),
  })
  return (
    <Button
      size="small"
      leadingVisual={SyncIcon}
      loading={sending.isPending}
      onClick={() => sending.mutate()}
    >
      {isPending ? 'Retry now' : 'Redeliver'}
    </Button>
  )
}

const causes = {
  first: 'First attempt',
  retry: 'Retry',
  manual_retry: 'Manual retry',
  redelivery: 'Redelivery',
  replay: 'Replay',
}

interface AttemptListProps {
  attempts: readonly HookAttempt[]
  shown: HookAttempt | undefined
  onSelect: (number: number) => void
}

/** Lists all attempts, newest first, to select one. */
function AttemptList({ attempts, shown, onSelect }: AttemptListProps): ReactNode {
  return (
    <ol className={styles.attempts} aria-label="Attempts">
      {attempts.toReversed().map(attempt => (
        <li key={attempt.number}>
          <button
            type="button"
            className={styles.attempt}
            aria-pressed={attempt === shown}
            onClick={() => onSelect(attempt.number)}
          >
            <span className={styles.number}>{`#${attempt.number}`}</span>
            <span>{causes[attempt.cause]}</span>
            <RelativeDate value={attempt.started_at} />
            <span className={attempt.error === null ? styles.good : styles.bad}>
              {attempt.response ? attempt.response.status_code : 'No response'}
            </span>
            <span>{durationText(attempt.duration)}</span>
          </button>
        </li>
      ))}
    </ol>
  )
}

function AttemptView({
  delivery,
  attempt,
}: {
  delivery: HookDeliveryDetails
  attempt: HookAttempt
}): ReactNode {
  const { number, url, request, response, error, started_at: at, duration } = attempt
  const of = `attempt ${number}`
  return (
    <>
      {error === null || error === `answered ${response?.status_code}` ? null : (
        <p className={styles.error} dir="auto">
          {visibleLine(error)}
        </p>
      )}
      {response ? (
        <MessageView
          title="Response"
          of={of}
          facts={
            <>
              <strong className={error === null ? styles.good : styles.bad}>{response.status_code}</strong>{' '}
              after {durationText(duration)}, <RelativeDate value={at} />
            </>
          }
          headers={response.headers}
          body={response.payload}
          isTruncated={response.truncated}
        />
      ) : null}
      <MessageView
        title="Request"
        of={of}
        facts={<bdi>{`${request.method} ${visibleLine(url)}`}</bdi>}
        headers={request.headers}
        body={delivery.payload}
      />
    </>
  )
}
