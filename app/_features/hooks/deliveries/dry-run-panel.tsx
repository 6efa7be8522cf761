'use client'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Panel } from '@/app/_components/box'
import { CopyTextButton } from '@/app/_components/copy-button'
import form from '@/app/_components/form.module.css'
import { ListSkeleton } from '@/app/_components/list-skeleton'
import { Button } from '@/app/_components/primer'
import { readFailure } from '@/app/_lib/failure'
import type { HookName } from '@/app/_lib/queries'
import type { DryRun } from '@/server/hooks/deliveries/schema'
import { MessageView } from './message-view'
import { dryRunQuery } from './queries'
import { curlOf } from './request-text'

interface DryRunPanelProps {
  hook: HookName
  /** Undefined for the newest that the hook asks for. */
  eventId: number | undefined
  onClose: () => void
}

/** What an event would make the hook send, which is sent nowhere. */
export function DryRunPanel({ hook, eventId, onClose }: DryRunPanelProps): ReactNode {
  const { data, error } = useQuery(dryRunQuery(hook, eventId))
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
  inactive: 'the webhook is paused',
  disabled: 'the site has disabled the webhook',
  eventNotChosen: 'the webhook does not ask for such events',
  branchFilter: 'its branch filter leaves the branch out',
  noCommits: 'chats are not told of a push without commits',
  noPayload: 'what it would tell of is gone',
}

function DryRunResult({ run: { event_id, reason, request } }: { run: DryRun }): ReactNode {
  return (
    <>
      <p>
        {reason === null
          ? `This is what event ${event_id} sends. Looking at it sends nothing.`
          : `Event ${event_id} is not sent: ${reasons[reason]}.${request ? ' This is what it would be:' : ''}`}
      </p>
      {request ? (
        <MessageView
          title="Request"
          of="the dry run"
          facts={
            <span dir="auto">
              {request.method} {request.url}
            </span>
          }
          headers={request.headers}
          body={request.payload}
        />
      ) : null}
    </>
  )
}
