'use client'
import { CheckCircleFillIcon, ContainerIcon, GearIcon, TerminalIcon } from '@primer/octicons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { ConfirmButton } from '@/app/_components/confirm-button'
import { CommandLine } from '@/app/_components/copy-button'
import { TextField } from '@/app/_components/fields'
import form from '@/app/_components/form.module.css'
import { QuietLink } from '@/app/_components/links'
import { LiveMark } from '@/app/_components/live-mark'
import { PageHeading, Trail } from '@/app/_components/page-heading'
import { Banner } from '@/app/_components/primer'
import { Tabs } from '@/app/_components/tabs'
import { headingLevel } from '@/app/_features/places/place-paths'
import { isNever } from '@/app/_lib/format'
import { trpc } from '@/app/_lib/trpc'
import { useHydrated } from '@/app/_lib/use-hydrated'
import { useLive } from '@/app/_lib/use-live'
import { visibleLine } from '@/app/_lib/visible-text'
import type { Topic } from '@/server/live/schema'
import type { PlaceName } from '@/server/places/schema'
import type { BrowsedRunner } from '@/server/runners/pages/schema'
import { labelsIn } from './label-text'
import { registeredQuery, runnersKey, runnersPath, setUpQuery } from './queries'
import { RunnerLabels } from './runner-labels'
import { StateLabel } from './runner-state'
import styles from './runners.module.css'
import { isLocal, setUpSteps, type Way } from './set-up-commands'

interface NewRunnerScreenProps {
  place: PlaceName
  topics: readonly Topic[]
  way: Way
  baseUrl: string
}

const ways = [
  { way: 'program', label: 'Program', Icon: TerminalIcon },
  { way: 'docker', label: 'Docker', Icon: ContainerIcon },
  { way: 'systemd', label: 'systemd', Icon: GearIcon },
] as const

const usualLabels: Record<Way, string> = {
  program: 'linux:host',
  docker: 'ubuntu-latest:docker://node:22-bookworm',
  systemd: 'linux:host',
}

/** How to set up a runner, in commands to copy; the page says when it has connected. */
export function NewRunnerScreen({ place, topics, way, baseUrl }: NewRunnerScreenProps): ReactNode {
  const { data: setUp } = useQuery(setUpQuery(place))
  const [typed, setLabels] = useState<string>()
  const labels = typed ?? usualLabels[way]
  const hydrated = useHydrated()
  const queryClient = useQueryClient()
  useLive(topics, () => void queryClient.invalidateQueries({ queryKey: runnersKey(place) }))
  if (!setUp) return null
  const steps = setUpSteps(way, { baseUrl, token: setUp.token, labels: labelsIn(labels) })
  return (
    <>
      <Trail
        steps={[
          { href: runnersPath(place), label: 'Runners' },
          { href: runnersPath(place, 'new'), label: 'New runner' },
        ]}
      />
      <PageHeading title="New runner" level={headingLevel(place)} actions={<LiveMark />}>
        Run these commands on the machine that is to do the jobs. It needs Gitea’s runner program.
      </PageHeading>
      <Tabs
        label="Ways to run it"
        tabs={ways.map(({ way: each, ...tab }) => ({
          ...tab,
          href: runnersPath(place, each === 'program' ? 'new' : `new?with=${each}`),
          current: each === way,
        }))}
      />
      <div className={styles.section}>
        {way === 'docker' && isLocal(baseUrl) ? (
          <Banner
            className={styles.banner}
            variant="warning"
            title="A container does not reach this address"
            description={`${baseUrl} leads to the container itself. Set GUILDHALL_BASE_URL to a name that it can reach.`}
          />
        ) : null}
        <div className={`${styles.step} ${form.narrow}`}>
          <TextField
            label="Labels"
            autoComplete="off"
            spellCheck={false}
            readOnly={!hydrated}
            value={labels}
            onChange={event => setLabels(event.target.value)}
            caption="What jobs name in runs-on, with commas between them. With :host, steps run on the machine itself; with :docker://IMAGE, in a container."
          />
        </div>
        {steps.map(({ title, about, command }, index) => (
          <section key={title} className={styles.step} aria-label={title}>
            <h2>
              {index + 1}. {title}
            </h2>
            {about ? <p className={styles.hint}>{about}</p> : null}
            <CommandLine command={command} />
          </section>
        ))}
        <Arrivals place={place} lastId={setUp.last_id} step={steps.length + 1} />
        <Token place={place} />
      </div>
    </>
  )
}

interface ArrivalsProps {
  place: PlaceName
  lastId: number
  step: number
}

/** Waits for the runner, and says when it has come. */
function Arrivals({ place, lastId, step }: ArrivalsProps): ReactNode {
  const { data: runners = [] } = useQuery(registeredQuery(place, lastId))
  return (
    <section className={styles.step} aria-label="Connected runners">
      <h2>{step}. Wait for it here</h2>
      <div role="status" className={styles.step}>
        {runners.length === 0 ? (
          <div className={styles.waiting}>
            <span className={styles.dot} aria-hidden="true" />
            Waiting for a runner to register …
          </div>
        ) : (
          runners.map(runner => <Arrival key={runner.id} place={place} runner={runner} />)
        )}
      </div>
    </section>
  )
}

function Arrival({ place, runner }: { place: PlaceName; runner: BrowsedRunner }): ReactNode {
  const link = <QuietLink href={runnersPath(place, runner.id)}>{visibleLine(runner.name)}</QuietLink>
  if (isNever(runner.last_online)) {
    return (
      <div className={styles.waiting}>
        <span className={styles.dot} aria-hidden="true" />
        <span>{link} is registered. Now start it.</span>
      </div>
    )
  }
  return (
    <div className={styles.connected}>
      <CheckCircleFillIcon />
      <span>
        <strong>{link} is connected</strong>
        {runner.version ? `, version ${visibleLine(runner.version)}` : ''}
      </span>
      <StateLabel runner={runner} />
      <RunnerLabels labels={runner.labels.map(label => label.name)} />
    </div>
  )
}

function Token({ place }: { place: PlaceName }): ReactNode {
  const queryClient = useQueryClient()
  return (
    <section className={styles.step} aria-label="Registration token">
      <h2>Registration token</h2>
      <p className={styles.hint}>
        The token in the commands registers any number of runners. Keep it to yourself, and reset it if
        somebody else has seen it.
      </p>
      <div>
        <ConfirmButton
          label="Reset token"
          stays
          title="Reset the registration token?"
          confirm="Reset token"
          run={() => trpc.runners.pages.resetToken.mutate({ place })}
          done="The registration token was reset"
          onDone={() => queryClient.invalidateQueries({ queryKey: setUpQuery(place).queryKey })}
        >
          <p>
            Commands that hold the present token no longer register runners. Runners that are registered stay
            connected.
          </p>
        </ConfirmButton>
      </div>
    </section>
  )
}
