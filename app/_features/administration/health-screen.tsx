'use client'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ListBox, ListRow, RowFacts, RowTitle } from '@/app/_components/box'
import { Fact, FactList } from '@/app/_components/fact-list'
import {
  AlertIcon,
  CheckCircleFillIcon,
  CheckCircleIcon,
  CircleIcon,
  XCircleIcon,
} from '@/app/_components/icons'
import { QuietLink } from '@/app/_components/links'
import { ListSkeleton } from '@/app/_components/list-skeleton'
import { PageHeading } from '@/app/_components/page-heading'
import { Label } from '@/app/_components/primer'
import { RelativeDate } from '@/app/_components/relative-date'
import { readFailure } from '@/app/_lib/failure'
import { counted, formatBytes } from '@/app/_lib/format'
import { healthQuery } from '@/app/_lib/queries/administration'
import type { BackgroundJob, Counted, Disk, Health, Queue } from '@/server/health/schema'
import styles from './health.module.css'

/** Page with the current state of the site: problems, processes, storage, queues, and background jobs. */
export function HealthScreen(): ReactNode {
  const { data, error, dataUpdatedAt } = useQuery(healthQuery)
  const unanswered = error
    ? [{ what: 'The server isn’t responding.', advice: readFailure(error).message }]
    : []
  if (!data && !error) return <ListSkeleton />
  return (
    <>
      <PageHeading title="Health">
        {error && data ? (
          <>
            Status of this site as of <RelativeDate value={new Date(dataUpdatedAt).toISOString()} />.
          </>
        ) : (
          'Current status of this site.'
        )}
      </PageHeading>
      <Problems problems={[...unanswered, ...(data?.problems ?? [])]} />
      {data ? <Details health={data} /> : null}
    </>
  )
}

function Details({ health: data }: { health: Health }): ReactNode {
  return (
    <>
      <Process health={data} />
      <Queues queues={data.queues} />
      {data.backups ? <Backups backups={data.backups} /> : null}
      <ListBox title="Background jobs" total={data.jobs.length}>
        {data.jobs.map(job => (
          <JobRow key={job.name} job={job} />
        ))}
      </ListBox>
    </>
  )
}

function Problems({ problems }: Pick<Health, 'problems'>): ReactNode {
  return (
    <section className={styles.problems} aria-label="Problems" role="status">
      {problems.length === 0 ? (
        <p className={styles.well}>
          <CheckCircleFillIcon /> All systems operational.
        </p>
      ) : (
        <ul>
          {problems.map(({ what, advice }) => (
            <li key={what} className={styles.problem}>
              <AlertIcon />
              <div>
                <strong>{what}</strong> {advice}
              </div>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

const databaseText = { embedded: 'Embedded PostgreSQL', server: 'PostgreSQL' }
const storeText = { disk: 'Directory', s3: 'S3', azure: 'Azure Blob Storage' }

function Process({ health }: { health: Health }): ReactNode {
  const { version, node, started, processes, launchers, database, data, repositories, objects } = health
  return (
    <section aria-label="Process and storage">
      <FactList>
        <Fact term="Guildhall">{version}</Fact>
        <Fact term="Node.js">{node}</Fact>
        <Fact term="Started">
          <RelativeDate value={started} />
        </Fact>
        {processes.wanted > 1 ? <Fact term="Server processes">{processesText(processes)}</Fact> : null}
        {launchers ? <Fact term="Git processes">{launchersText(launchers)}</Fact> : null}
        <Fact term="Database">{`${databaseText[database.kind]} ${database.version}`}</Fact>
        <Fact term="Database size">{formatBytes(database.bytes)}</Fact>
        <Fact term="Object store">{storeText[objects.kind]}</Fact>
        <DiskFact term="Data directory" disk={data} />
        <DiskFact term="Repository directory" disk={repositories} />
        {objects.kind === 'disk' ? <DiskFact term="Object store directory" disk={objects.disk} /> : null}
      </FactList>
    </section>
  )
}

function processesText({ running, memory, restarts }: Health['processes']): string {
  const now = `${running} running, ${formatBytes(memory)} in total`
  return restarts === 0 ? now : `${now}, restarted ${counted(restarts, 'time', 'times')}`
}

function launchersText({ stopped, children, restarts }: NonNullable<Health['launchers']>): string {
  const now = stopped > 0 ? 'Launcher isn’t running' : `${children.toLocaleString('en-US')} running`
  return restarts === 0 ? now : `${now}, launcher restarted ${counted(restarts, 'time', 'times')}`
}

function DiskFact({ term, disk }: { term: string; disk: Disk }): ReactNode {
  return (
    <Fact term={term} wide>
      {disk ? (
        <>
          <code>{disk.directory}</code>
          <span>{`${formatBytes(disk.free)} of ${formatBytes(disk.size)} free`}</span>
        </>
      ) : (
        'Size unknown'
      )}
    </Fact>
  )
}

function Queues({ queues }: Pick<Health, 'queues'>): ReactNode {
  const { webhooks, workflows, deliveries, failed_deliveries: failed, jobs, pushes } = queues
  return (
    <section aria-labelledby="queues">
      <h2 id="queues" className={styles.title}>
        Queues
      </h2>
      <FactList>
        <QueueFact term="Webhook events" queue={webhooks} />
        <QueueFact term="Workflow events" queue={workflows} />
        <QueueFact term="Pending deliveries" queue={deliveries} />
        <Fact term="Failed deliveries, last 24 hours">{amount(failed)}</Fact>
        <QueueFact term="Jobs waiting for a runner" queue={jobs} />
        <Fact term="Unrecorded pushes">{pushes.toLocaleString('en-US')}</Fact>
      </FactList>
      <p className={styles.more}>
        <QuietLink href="/-/admin/hooks">Site webhooks</QuietLink>
        <QuietLink href="/-/admin/actions/runners">Runners</QuietLink>
      </p>
    </section>
  )
}

const backupOutcomes = { done: 'Completed in', stopped: 'Interrupted after', failed: 'Failed after' }

function Backups({ backups }: { backups: NonNullable<Health['backups']> }): ReactNode {
  const { schedule, running, complete, last } = backups
  return (
    <section aria-labelledby="backups">
      <h2 id="backups" className={styles.title}>
        Backups
      </h2>
      <FactList>
        <Fact term="Last complete backup">
          {complete ? <RelativeDate value={complete.started} /> : 'None'}
        </Fact>
        {complete ? (
          <Fact term="Size">{`${formatBytes(complete.size)}, of which ${formatBytes(complete.copied)} new`}</Fact>
        ) : null}
        <Fact term="Last backup">
          {last ? (
            <>
              <span>{`${backupOutcomes[last.outcome]} ${duration(last.duration_ms)}`}</span>
              <span className={styles.since}>
                (started <RelativeDate value={last.started} />)
              </span>
            </>
          ) : (
            'None'
          )}
        </Fact>
        {running ? (
          <Fact term="Running since">
            <RelativeDate value={running} />
          </Fact>
        ) : null}
        <Fact term="Schedule" wide>
          {schedule ? (
            <>
              <code>{schedule.to}</code>
              <span>{`every ${interval(schedule.every_ms)}, ${counted(schedule.keep, 'backup', 'backups')} kept`}</span>
            </>
          ) : (
            'Not scheduled'
          )}
        </Fact>
      </FactList>
    </section>
  )
}

const units = [
  [86_400_000, 'day'],
  [3_600_000, 'hour'],
  [60_000, 'minute'],
] as const

/** Describes an interval after the word "every": "day" or "90 minutes". */
function interval(ms: number): string {
  const [unitMs, unit] = units.find(([each]) => ms % each === 0) ?? [60_000, 'minute']
  return ms === unitMs ? unit : counted(ms / unitMs, unit, `${unit}s`)
}

const amount = ({ count, isMore }: Counted): string =>
  isMore ? `more than ${count.toLocaleString('en-US')}` : count.toLocaleString('en-US')

function QueueFact({ term, queue }: { term: string; queue: Queue }): ReactNode {
  return (
    <Fact term={term}>
      <span>{amount(queue)}</span>
      {queue.oldest ? (
        <span className={styles.since}>
          (oldest: <RelativeDate value={queue.oldest} />)
        </span>
      ) : null}
    </Fact>
  )
}

const outcomes = {
  done: { Icon: CheckCircleIcon, className: styles.done },
  stopped: { Icon: CircleIcon, className: styles.stopped },
  failed: { Icon: XCircleIcon, className: styles.failed },
}

function JobRow({ job: { name, purpose, last, next } }: { job: BackgroundJob }): ReactNode {
  const { Icon, className } = outcomes[last?.outcome ?? 'stopped']
  return (
    <ListRow
      visual={
        <span className={className}>
          <Icon />
        </span>
      }
    >
      <RowTitle name={purpose}>
        {last?.outcome === 'failed' ? <Label variant="danger">Failed</Label> : null}
        {last?.outcome === 'stopped' ? <Label variant="secondary">Stopped</Label> : null}
      </RowTitle>
      <RowFacts>
        <span>{name}</span>
        <span>
          {last ? (
            <>
              Ran <RelativeDate value={last.started} />, {duration(last.duration_ms)}
            </>
          ) : (
            'Hasn’t run yet'
          )}
        </span>
        <span>
          Next run <RelativeDate value={next} future />
        </span>
        {last?.message ? <span>{last.message}</span> : null}
      </RowFacts>
    </ListRow>
  )
}

function duration(ms: number): string {
  if (ms < 1_000) return `${ms} ms`
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`
  return counted(Math.round(ms / 60_000), 'minute', 'minutes')
}
