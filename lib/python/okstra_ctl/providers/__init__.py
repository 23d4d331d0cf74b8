"""What can this CLI do, and with which words?"""
