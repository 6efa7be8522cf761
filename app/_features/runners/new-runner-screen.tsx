'use client'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Banner } from '@/app/_components/banner'
import { ConfirmButton } from '@/app/_components/confirm-button'
import { CommandLine } from '@/app/_components/copy-button'
import { TextField } from '@/app/_components/fields'
import form from '@/app/_components/form.module.css'
import {
  CheckCircleFillIcon,
  ContainerIcon,
  GearIcon,
  ServerIcon,
  TerminalIcon,
} from '@/app/_components/icons'
import { LabelList } from '@/app/_components/label-list'
import { QuietLink } from '@/app/_components/links'
import { ListSkeleton } from '@/app/_components/list-skeleton'
import { PageHeading, Trail } from '@/app/_components/page-heading'
import { Link } from '@/app/_components/primer'
import stepStyles from '@/app/_components/steps.module.css'
import { Tabs } from '@/app/_components/tabs'
import { isLoss } from '@/app/_features/scopes/is-loss'
import { LostScope } from '@/app/_features/scopes/lost-scope'
import { headingLevel, newRunnerPath } from '@/app/_features/scopes/scope-paths'
import { defaultLabel } from '@/app/_lib/default-label'
import { isNever } from '@/app/_lib/format'
import { trpc } from '@/app/_lib/trpc'
import { useLive } from '@/app/_lib/use-live'
import { visibleLine } from '@/app/_lib/visible-text'
import { useSelfUpdating } from '@/app/_lib/workarounds/hold-refresh'
import type { Topic } from '@/server/live/schema'
import { labelsIn, problemOfLabels } from '@/server/runners/label-text'
import type { BrowsedRunner } from '@/server/runners/manage/schema'
import type { ScopeName } from '@/server/scopes/schema'
import { registeredQuery, runnersKey, runnersPath, setUpQuery } from './queries'
import { StateLabel } from './runner-status'
import styles from './runners.module.css'
import { isLocal, type SetupMethod, setupSteps } from './set-up-commands'

interface NewRunnerScreenProps {
  scope: ScopeName
  topics: readonly Topic[]
  method: SetupMethod
  baseUrl: string
  /** Labels that waiting jobs require, separated by commas. Empty if unknown. */
  labels: string
}

const methods = [
  { method: 'program', label: 'Binary', Icon: TerminalIcon },
  { method: 'docker', label: 'Docker', Icon: ContainerIcon },
  { method: 'systemd', label: 'systemd', Icon: GearIcon },
] as const

/** Suffix of a default label, which says where its jobs run. */
const endings: Record<SetupMethod, string> = {
  program: ':host',
  docker: ':docker://node:22-bookworm',
  systemd: ':host',
}

const defaultLabels: Record<SetupMethod, string> = {
  program: `${defaultLabel}:host`,
  docker: `${defaultLabel}:docker://node:22-bookworm, ubuntu-latest:docker://node:22-bookworm`,
  systemd: `${defaultLabel}:host`,
}

/** Page with the commands that set up a runner. It shows when the runner has connected. */
export function NewRunnerScreen({
  scope,
  topics,
  method,
  baseUrl,
  labels: wanted,
}: NewRunnerScreenProps): ReactNode {
  const { data: setUp, error } = useQuery(setUpQuery(scope))
  const [typed, setLabels] = useState<string>()
  const labels =
    typed ??
    (labelsIn(wanted)
      .map(label => label + endings[method])
      .join(', ') ||
      defaultLabels[method])
  const queryClient = useQueryClient()
  useSelfUpdating(error)
  useLive(topics, () => void queryClient.invalidateQueries({ queryKey: runnersKey(scope) }))
  if (isLoss(error)) return <LostScope scope={scope} icon={ServerIcon} what="these runners" error={error} />
  if (!setUp) return <ListSkeleton />
  const steps = setupSteps(method, { baseUrl, token: setUp.token, labels: labelsIn(labels) })
  return (
    <>
      <Trail
        steps={[
          { href: runnersPath(scope), label: 'Runners' },
          { href: runnersPath(scope, 'new'), label: 'New runner' },
        ]}
      />
      <PageHeading title="New runner" level={headingLevel(scope)}>
        Run these commands on the machine that will run the jobs.
      </PageHeading>
      <Tabs
        label="Installation methods"
        tabs={methods.map(({ method: each, ...tab }) => ({
          ...tab,
          href: newRunnerPath(scope, labelsIn(wanted), each),
          current: each === method,
        }))}
      />
      <div className={styles.section}>
        {method === 'docker' && isLocal(baseUrl) ? (
          <Banner
            className={styles.banner}
            variant="warning"
            title="Containers can’t reach this address"
            description={`Inside a container, ${baseUrl} points to the container itself. Set GUILDHALL_BASE_URL to an address that containers can reach.`}
          />
        ) : null}
        <div className={`${stepStyles.step} ${form.narrow}`}>
          <TextField
            label="Labels"
            autoComplete="off"
            spellCheck={false}
            value={labels}
            onChange={event => setLabels(event.target.value)}
            error={problemOfLabels(labelsIn(labels))}
            caption="Names that jobs use in runs-on, separated by commas. Add :host to run steps directly on the machine, or :docker://IMAGE to run them in a container."
          />
        </div>
        {steps.map(({ title, about, link, command }, index) => (
          <section key={title} className={stepStyles.step} aria-label={title}>
            <h2>
              {index + 1}. {title}
            </h2>
            {about ? (
              <p className={stepStyles.hint}>
                {about}{' '}
                {link ? (
                  <Link href={link.href} inline>
                    {link.label}
                  </Link>
                ) : null}
              </p>
            ) : null}
            <CommandLine command={command} />
          </section>
        ))}
        <Arrivals scope={scope} newestId={setUp.last_id} step={steps.length + 1} />
        <Token scope={scope} />
      </div>
    </>
  )
}

interface ArrivalsProps {
  scope: ScopeName
  /** Highest runner ID when the page was opened. */
  newestId: number
  step: number
}

/** Waits for new runners and lists them once they have registered. */
function Arrivals({ scope, newestId, step }: ArrivalsProps): ReactNode {
  // Runners that registered after the page was opened remain in view, even after the token is read again.
  const [lastId] = useState(newestId)
  const { data: runners = [] } = useQuery(registeredQuery(scope, lastId))
  return (
    <section className={stepStyles.step} aria-label="Connected runners">
      <h2>{step}. Confirm that it connects</h2>
      <div role="status" className={stepStyles.step}>
        {runners.length === 0 ? (
          <div className={stepStyles.waiting}>
            <span className={stepStyles.dot} aria-hidden="true" />
            Waiting for a runner to register…
          </div>
        ) : (
          runners.map(runner => <Arrival key={runner.id} scope={scope} runner={runner} />)
        )}
      </div>
    </section>
  )
}

function Arrival({ scope, runner }: { scope: ScopeName; runner: BrowsedRunner }): ReactNode {
  const link = (
    <bdi>
      <QuietLink href={runnersPath(scope, runner.id)}>{visibleLine(runner.name)}</QuietLink>
    </bdi>
  )
  if (isNever(runner.last_online)) {
    return (
      <div className={stepStyles.waiting}>
        <span className={stepStyles.dot} aria-hidden="true" />
        <span>{link} is registered. Now start it.</span>
      </div>
    )
  }
  return (
    <div className={stepStyles.done}>
      <CheckCircleFillIcon />
      <span>
        <strong>{link} is connected</strong>
        {runner.version ? `, version ${visibleLine(runner.version)}` : ''}
      </span>
      <StateLabel state={runner.state} />
      <LabelList labels={runner.labels.map(label => label.name)} />
    </div>
  )
}

function Token({ scope }: { scope: ScopeName }): ReactNode {
  const queryClient = useQueryClient()
  return (
    <section className={stepStyles.step} aria-label="Registration token">
      <h2>Registration token</h2>
      <p className={stepStyles.hint}>
        The token in these commands can register any number of runners. Keep it secret, and reset it if
        someone else might have seen it.
      </p>
      <div>
        <ConfirmButton
          label="Reset token"
          title="Reset the registration token?"
          confirm="Reset token"
          run={() => trpc.runners.manage.resetToken.mutate({ scope })}
          done="The registration token was reset"
          onDone={() => queryClient.invalidateQueries({ queryKey: setUpQuery(scope).queryKey })}
        >
          <p>
            You’ll no longer be able to register runners with the current token. Registered runners will stay
            connected.
          </p>
        </ConfirmButton>
      </div>
    </section>
  )
}
