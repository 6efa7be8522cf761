import { signOut } from '@/app/_lib/sign-out'
import { applyTheme, shownTheme, themeModes } from '@/app/_lib/theme'
import type { Destination } from './destination'

export interface Command extends Destination {
  kind: 'command'
  /** Synonyms that also find the command. */
  also?: string
}

/** Returns an identifier that replaces the URL for a command without its own page. */
const commandId = (id: string): string => `command:${id}`

const begun: Command[] = [
  { text: 'New repository', href: '/-/new', also: 'create add' },
  { text: 'New organization', href: '/-/orgs/new', also: 'create add' },
  { text: 'New access token', href: '/user/settings/tokens?add=1', also: 'create add api' },
  { text: 'New SSH key', href: '/user/settings/keys?add=1', also: 'create add' },
].map(command => ({ kind: 'command', ...command }))

const looks = { auto: 'same as system', light: 'light', dark: 'dark' }

/** Returns the commands available on every page. `showKeys` opens the list of keyboard shortcuts. */
export function siteCommands(isSignedIn: boolean, showKeys: () => void): Command[] {
  const theme = shownTheme()
  const also = 'switch appearance mode look'
  return [
    ...(isSignedIn ? begun : []),
    ...themeModes
      .filter(mode => mode !== theme.mode)
      .map(mode => ({
        kind: 'command' as const,
        text: `Theme: ${looks[mode]}`,
        href: commandId(mode),
        also,
        run: () => applyTheme({ ...theme, mode }),
      })),
    {
      kind: 'command',
      text: `High contrast: ${theme.highContrast ? 'off' : 'on'}`,
      href: commandId('contrast'),
      also: `${also} theme`,
      run: () => applyTheme({ ...theme, highContrast: !theme.highContrast }),
    },
    { kind: 'command', text: 'API documentation', href: '/api/docs', also: 'rest help' },
    { kind: 'command', text: 'Keyboard shortcuts', href: commandId('keys'), also: 'help', run: showKeys },
    ...(isSignedIn
      ? [
          {
            kind: 'command' as const,
            text: 'Sign out',
            href: commandId('sign-out'),
            also: 'log out leave',
            run: () => void signOut(),
          },
        ]
      : []),
  ]
}

/** Returns the commands in which every term starts a word. */
export function matchingCommands(commands: readonly Command[], terms: readonly string[]): Command[] {
  return commands.filter(({ text, also = '' }) => {
    const own = `${text} ${also}`.toLowerCase().split(/[^\p{L}\p{N}]+/u)
    return terms.every(term => own.some(one => one.startsWith(term)))
  })
}
