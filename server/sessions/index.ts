/** Sign-ins of people in a browser: opened by proof of a password, ended by their owner or by time. */
export { openSession } from './open'
