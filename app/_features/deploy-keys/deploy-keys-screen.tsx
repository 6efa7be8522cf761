'use client'
import dynamic from 'next/dynamic'
import type { ReactNode } from 'react'
import { Banner } from '@/app/_components/banner'
import { CommandLine } from '@/app/_components/copy-button'
import { PlusIcon } from '@/app/_components/icons'
import { PageHeading } from '@/app/_components/page-heading'
import { Button } from '@/app/_components/primer'
import styles from '@/app/_features/keys/keys.module.css'
import { keyList } from '@/app/_lib/lists'
import type { RepoPath } from '@/app/_lib/paths'
import { useAddForm } from '@/app/_lib/use-add-form'
import { useAddedRow } from '@/app/_lib/use-added-row'
import { useListChoice } from '@/app/_lib/use-list-choice'
import { DeployKeyList } from './deploy-key-list'

// The form is a large part of the page's code, and most visits only show the list.
const AddDeployKeyForm = dynamic(async () => (await import('./add-deploy-key-form')).AddDeployKeyForm)

interface DeployKeysScreenProps {
  path: RepoPath
  /** SSH clone URL of the repository; empty if SSH is off. */
  sshUrl: string
}

/** Page that lists, adds, and deletes the deploy keys of a repository. */
export function DeployKeysScreen({ path, sshUrl }: DeployKeysScreenProps): ReactNode {
  const form = useAddForm()
  const list = useListChoice(keyList)
  const { newId, announceAdded } = useAddedRow(list, form.open)
  const finish = (id: number): void => {
    announceAdded(id)
    form.hide()
  }

  return (
    <>
      <PageHeading
        title="Deploy keys"
        level={2}
        actions={
          form.open ? null : (
            <Button variant="primary" leadingVisual={PlusIcon} ref={form.opener} onClick={form.show}>
              Add deploy key
            </Button>
          )
        }
      >
        A deploy key gives a program, such as a build server, SSH access to this repository’s code only,
        without an account.
      </PageHeading>
      {sshUrl === '' ? <SshIsOff /> : null}
      {form.open ? <AddDeployKeyForm path={path} onAdded={finish} onCancel={form.hide} /> : null}
      <DeployKeyList path={path} list={list} newId={newId} />
      {sshUrl === '' ? null : <HowToClone sshUrl={sshUrl} />}
    </>
  )
}

function SshIsOff(): ReactNode {
  return (
    <Banner
      className={styles.notice}
      variant="warning"
      title="SSH is turned off on this site"
      description="You can manage deploy keys, but they won’t work until an administrator turns on SSH."
    />
  )
}

function HowToClone({ sshUrl }: { sshUrl: string }): ReactNode {
  return (
    <section className={styles.below} aria-label="Clone with a deploy key">
      <p>
        Save the private key as <code>~/.ssh/deploy_key</code> on the machine that will use it, then clone the
        repository:
      </p>
      <CommandLine
        command={`git clone -c core.sshCommand="ssh -i ~/.ssh/deploy_key -o IdentitiesOnly=yes" ${sshUrl}`}
      />
    </section>
  )
}
