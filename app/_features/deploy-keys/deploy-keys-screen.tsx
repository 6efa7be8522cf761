'use client'
import { PlusIcon } from '@primer/octicons-react'
import dynamic from 'next/dynamic'
import type { ReactNode } from 'react'
import { Banner } from '@/app/_components/banner'
import { CommandLine } from '@/app/_components/copy-button'
import { PageHeading } from '@/app/_components/page-heading'
import { Button } from '@/app/_components/primer'
import styles from '@/app/_features/keys/keys.module.css'
import { keyList } from '@/app/_lib/lists'
import type { RepoPath } from '@/app/_lib/paths'
import { useAddForm } from '@/app/_lib/use-add-form'
import { useAddedRow } from '@/app/_lib/use-added-row'
import { useListChoice } from '@/app/_lib/use-list-choice'
import { DeployKeyList } from './deploy-key-list'

// The form is a good part of the page, and most visits only read the list.
const AddDeployKeyForm = dynamic(async () => (await import('./add-deploy-key-form')).AddDeployKeyForm)

interface DeployKeysScreenProps {
  path: RepoPath
  /** The address to clone it from; empty where nothing is reached over SSH. */
  sshUrl: string
}

/** The keys that open one repository to programs. */
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
        A deploy key lets a program, such as a build server, reach the code of this repository alone, over SSH
        and without an account.
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
      title="Git cannot be reached over SSH here"
      description="Deploy keys can be managed, but open nothing until the administrator of this site turns SSH on."
    />
  )
}

function HowToClone({ sshUrl }: { sshUrl: string }): ReactNode {
  return (
    <section className={styles.below} aria-label="Clone with a deploy key">
      <p>
        Put the private key into <code>~/.ssh/deploy_key</code> on the machine that uses it, and clone with:
      </p>
      <CommandLine
        command={`git clone -c core.sshCommand="ssh -i ~/.ssh/deploy_key -o IdentitiesOnly=yes" ${sshUrl}`}
      />
    </section>
  )
}
