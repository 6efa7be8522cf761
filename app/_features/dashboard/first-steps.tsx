import type { ReactNode } from 'react'
import { CheckCircleFillIcon } from '@/app/_components/icons'
import { ButtonLink } from '@/app/_components/links'
import type { FirstSteps as StepsDone } from '@/server/activity/schema'
import styles from './first-steps.module.css'
import { HideStepsButton } from './hide-steps-button'

interface FirstStepsProps {
  accountId: number
  done: StepsDone
  /** Whether the site offers Git over SSH. */
  isSshOn: boolean
  /** Path of a repository of the viewer, whose page says how to push; undefined if they have none. */
  repository: string | undefined
}

/** What a new person sets up first, until all of it is done or they hide it. */
export function FirstSteps({ accountId, done, isSshOn, repository }: FirstStepsProps): ReactNode {
  return (
    <section aria-labelledby="first-steps" className={styles.box}>
      <div className={styles.head}>
        <h2 id="first-steps" className={styles.title}>
          Get started
        </h2>
        <HideStepsButton accountId={accountId} />
      </div>
      <ol className={styles.steps}>
        {isSshOn ? (
          <Step
            title="Add an SSH key"
            isDone={done.has_credential}
            action={<ButtonLink href="/user/settings/keys?add=1">Add SSH key</ButtonLink>}
          >
            Use Git without a password. An access token works, too.
          </Step>
        ) : (
          <Step
            title="Create an access token"
            isDone={done.has_credential}
            action={
              <ButtonLink href="/user/settings/tokens?add=1&name=git&repository=write">
                New access token
              </ButtonLink>
            }
          >
            Use it instead of your password when Git asks for one.
          </Step>
        )}
        <Step
          title="Create a repository"
          isDone={done.has_repository}
          action={
            <ButtonLink href="/-/new" variant="primary">
              New repository
            </ButtonLink>
          }
        >
          For existing code, or start with a README.
        </Step>
        <Step
          title="Push"
          isDone={done.has_pushed}
          action={repository ? <ButtonLink href={repository}>Show commands</ButtonLink> : null}
        >
          The page of your repository has the commands.
        </Step>
      </ol>
    </section>
  )
}

interface StepProps {
  title: string
  isDone: boolean
  action: ReactNode
  children: ReactNode
}

function Step({ title, isDone, action, children }: StepProps): ReactNode {
  return (
    <li className={styles.step} data-done={isDone || undefined}>
      <div className={styles.text}>
        <h3 className={styles.name}>
          {isDone ? <CheckCircleFillIcon className={styles.done} aria-label="Done:" /> : null}
          {title}
        </h3>
        {isDone ? null : <p className={styles.hint}>{children}</p>}
      </div>
      {isDone ? null : action}
    </li>
  )
}
