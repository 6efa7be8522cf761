// Guildhall without its launcher: the server process itself starts Git.
import '@/server/site'
