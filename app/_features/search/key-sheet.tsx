'use client'
import { type ReactNode, useState } from 'react'
import { Checkbox, Dialog, FormControl } from '@/app/_components/primer'
import { areShortcutsOff } from '@/app/_lib/shortcut'
import { switchShortcuts } from '@/app/_lib/switch-shortcuts'
import styles from './palette.module.css'

const groups: { title: string; keys: { keys: string[]; does: string }[] }[] = [
  {
    title: 'Everywhere',
    keys: [
      { keys: ['/'], does: 'Find a repository, an organization, a team, a person or a settings page' },
      { keys: ['Ctrl K', '⌘ K'], does: 'The same, also while typing in a field' },
      { keys: ['?'], does: 'Show these keys' },
      { keys: ['Esc'], does: 'Close what is open' },
    ],
  },
  {
    title: 'While finding',
    keys: [
      { keys: ['↓', '↑'], does: 'Go to the next or the previous result' },
      { keys: ['Home', 'End'], does: 'Go to the first or the last result' },
      { keys: ['Enter'], does: 'Open the result' },
    ],
  },
  {
    title: 'In lists',
    keys: [
      { keys: ['j', 'k'], does: 'Go to the next or the previous row' },
      { keys: ['x'], does: 'Choose the row' },
    ],
  },
]

/** The keys that do something without being typed into a field, and the switch for those that are pressed alone. */
export function KeySheet({ onClose }: { onClose: () => void }): ReactNode {
  const [isOn, setOn] = useState(() => !areShortcutsOff())
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose} width="large">
      {groups.map(({ title, keys }) => (
        <section key={title} className={styles.keys}>
          <h2 className={styles.title}>{title}</h2>
          <dl>
            {keys.map(({ keys, does }) => (
              <div key={does} className={styles.keyRow}>
                <dt>
                  {keys.map(key => (
                    <kbd key={key}>{key}</kbd>
                  ))}
                </dt>
                <dd>{does}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
      <div className={styles.switch}>
        <FormControl>
          <Checkbox
            checked={isOn}
            onChange={() => {
              setOn(!isOn)
              switchShortcuts(!isOn)
            }}
          />
          <FormControl.Label>Single-key shortcuts</FormControl.Label>
          <FormControl.Caption>
            Turn off / ? j k and x if they get in the way, as with speech input. Ctrl K or ⌘ K still finds
            places and leads back here.
          </FormControl.Caption>
        </FormControl>
      </div>
    </Dialog>
  )
}
