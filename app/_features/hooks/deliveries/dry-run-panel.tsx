'use client'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { Panel } from '@/app/_components/box'
import { CopyTextButton } from '@/app/_components/copy-button'
import form from '@/app/_components/form.module.css'
import { ListSkeleton } from '@/app/_components/list-skeleton'
import { Button } from '@/app/_components/primer'
import { readFailure } from '@/app/_lib/failure'
import type { HookName } from '@/app/_lib/queries/hooks'
import { toast } from '@/app/_lib/toast'
import { visibleLine } from '@/app/_lib/visible-text'
import type { DryRun } from '@/server/hooks/log/schema'
import { MessageView } from './message-view'
import { dryRunQuery } from './queries'
import { curlOf } from './request-text'

interface DryRunPanelProps {
  hook: HookName
  /** Undefined for the newest event that the hook subscribes to. */
  eventId: number | undefined
  onClose: () => void
}

/** Shows the request that an event would make the hook send, without sending it. */
export function DryRunPanel({ hook, eventId, onClose }: DryRunPanelProps): ReactNode {
  const { data, error } = useQuery(dryRunQuery(hook, eventId))
  useEffect(() => toast.clearPassing(), [])
  return (
    <Panel title="Dry run">
      <div className={form.form} aria-busy={!data && !error}>
        {error ? (
          <p role="alert">{readFailure(error).message}</p>
        ) : data ? (
          <DryRunResult run={data} />
        ) : (
          <ListSkeleton rows={1} />
        )}
        <div className={form.actions}>
          <Button onClick={onClose}>Close</Button>
          {data?.request ? <CopyTextButton text={curlOf(data.request)} label="Copy as curl" /> : null}
        </div>
      </div>
    </Panel>
  )
}

const reasons: Record<NonNullable<DryRun['reason']>, string> = {
  inactive: 'the webhook is inactive',
  disabled: 'the webhook was disabled after its deliveries failed',
  event_not_chosen: 'the webhook isn’t subscribed to this event',
  branch_filter: 'the branch filter excludes the branch',
  no_commits: 'pushes without commits aren’t sent to chats',
  no_payload: 'the subject of the event has been deleted',
}

function DryRunResult({ run: { event_id, reason, request } }: { run: DryRun }): ReactNode {
  return (
    <>
      <p>
        {reason === null
          ? `This is the request for event ${event_id}. It wasn’t sent.`
          : `Event ${event_id} wouldn’t be sent: ${reasons[reason]}.${request ? ' This is the request that would have been sent:' : ''}`}
      </p>
      {request ? (
        <MessageView
          title="Request"
          of="the dry run"
          facts={
            <bdi>
              {request.method} {visibleLine(request.url)}
            </bdi>
          }
          headers={request.headers}
          body={request.payload}
        />
      ) : null}
    </>
  )
}
