import type { ReactNode } from 'react'
import { CheckCircleFillIcon } from '@/app/_components/icons'
import { ButtonLink } from '@/app/_components/links'
import styles from './first-steps.module.css'

interface FirstStepsProps {
  hasKey: boolean
  /** Whether the site offers Git over SSH. */
  isSshOn: boolean
  action: ReactNode
}

/** Setup steps for a person who has no repositories yet. */
export function FirstSteps({ hasKey, isSshOn, action }: FirstStepsProps): ReactNode {
  return (
    <section aria-labelledby="first-steps" className={styles.box}>
      <h2 id="first-steps" className={styles.title}>
        Get started
      </h2>
      <ol className={styles.steps}>
        <Step title="Create a repository" action={action}>
          Push existing code, or start with a README.
        </Step>
        {isSshOn ? (
          <Step
            title="Add an SSH key"
            isDone={hasKey}
            action={<ButtonLink href="/user/settings/keys?add=1">Add SSH key</ButtonLink>}
          >
            Use Git over SSH without a password.
          </Step>
        ) : (
          <Step
            title="Create an access token"
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
          title="Connect a runner"
          action={<ButtonLink href="/user/settings/actions/runners/new">New runner</ButtonLink>}
        >
          Runners run your workflows on your own machines. You can set one up later.
        </Step>
      </ol>
    </section>
  )
}

interface StepProps {
  title: string
  isDone?: boolean
  action: ReactNode
  children: ReactNode
}

function Step({ title, isDone = false, action, children }: StepProps): ReactNode {
  return (
    <li className={styles.step}>
      <div className={styles.text}>
        <h3 className={styles.name}>
          {isDone ? <CheckCircleFillIcon className={styles.done} aria-label="Done" /> : null}
          {title}
        </h3>
        <p className={styles.hint}>{children}</p>
      </div>
      {isDone ? null : action}
    </li>
  )
}
